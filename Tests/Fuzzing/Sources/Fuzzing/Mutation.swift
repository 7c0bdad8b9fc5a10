import CLibFuzzer

/// Changes an input into another one, usually with the mutations of libFuzzer, which rarely produce
/// long inputs. Occasionally, a part of the input is repeated many times instead, to test whether
/// the time grows faster than the input.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  let number = Int(seed)
  guard number % 1_000 == 0, count > 1 else { return LLVMFuzzerMutate(bytes, count, most) }
  let start = number / 1_000 % count
  let length = min(1 + number / 1_000_000 % 64, count - start)
  let tail = Array(
    UnsafeBufferPointer(start: bytes + start + length, count: count - start - length))
  let part = Array(UnsafeBufferPointer(start: bytes + start, count: length))
  var end = start + length
  while end + length + tail.count <= most {
    for byte in part {
      bytes[end] = byte
      end += 1
    }
  }
  for byte in tail {
    bytes[end] = byte
    end += 1
  }
  return end
}
