#pragma once
#include <stddef.h>
#include <stdint.h>

// Makes up inputs, as the words of a command line say, and calls a function with each.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*examine)(const uint8_t *data, size_t size));

// What a mutator may call: changes some bytes, and says how many there are then.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
