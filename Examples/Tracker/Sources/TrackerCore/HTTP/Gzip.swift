import CZlib
import NIOCore

/// Compression in HTTP's `gzip` format (RFC 1952), using the system's zlib.
enum Gzip {
  /// A fast compression level. For text, higher levels take twice as long and save only a few
  /// percent.
  private static let level: Int32 = 4

  /// Returns compressed bytes.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: The compressed bytes; `nil` if there is not enough memory.
  /// - Complexity: O(bytes), at about 50 MB per second.
  static func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
    var stream = z_stream()
    guard czlib_gzip_init(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, UInt(bytes.readableBytes)))
    var compressed = ByteBufferAllocator().buffer(capacity: room)
    let status = bytes.withUnsafeReadableBytes { input in
      compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { output in
        stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return status > 0 ? compressed : nil
  }
}
