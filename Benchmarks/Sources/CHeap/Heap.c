#include "CHeap.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

void heap_trim(void) { malloc_trim(0); }
#else
void heap_trim(void) {}
#endif
