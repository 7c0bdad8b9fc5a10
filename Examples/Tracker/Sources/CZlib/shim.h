#include <zlib.h>

// Macros, which Swift does not see.
static inline int czlib_gzip_init(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
