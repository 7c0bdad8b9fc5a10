// What glibc's allocator offers and Swift's overlay of glibc does not show.
#ifndef C_HEAP_H
#define C_HEAP_H

/// Gives the heap's free memory back to the system, where the allocator can.
void heap_trim(void);

#endif
