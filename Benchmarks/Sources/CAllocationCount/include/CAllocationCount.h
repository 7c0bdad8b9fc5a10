// Counts the heap allocations of the whole process, by replacing `malloc` and its relatives. Link
// it only into a program that is not timed.
#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

#include <stdint.h>

/// Allocations so far, of all threads; a reallocation counts as one. -1 where they cannot be
/// counted.
int64_t allocation_count(void);

#endif
