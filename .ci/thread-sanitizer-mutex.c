// Tells the thread sanitizer about Swift's Mutex on Linux.
//
// The quick paths of Synchronization.Mutex are inlined into the code that uses it, so the sanitizer
// sees their atomics. The slow paths, taken when two threads want the lock at once, live in
// libswiftSynchronization, which is not instrumented, and end in a futex call of the kernel: the
// sanitizer never learns that the lock changed hands there and reports accesses under it as races.
// This library is loaded first, calls through to the original, and adds the missing release and
// acquire. It silences nothing else: an access without the lock is still reported.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Absent from programs built without the sanitizer, which load this library as well.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT bool try_lock_slow(SELF void *handle) __asm__(TRY_LOCK_SLOW);
SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);

static void *original(const char *symbol) {
  void *function = dlsym(RTLD_NEXT, symbol);
  if (!function) abort();
  return function;
}

// A handle's only field is its atomic word, so both have one address: the quick paths and these
// annotations speak about the same thing.

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  ((SWIFT void (*)(uint32_t, SELF void *))original(LOCK_SLOW))(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool try_lock_slow(SELF void *handle) {
  bool taken = ((SWIFT bool (*)(SELF void *))original(TRY_LOCK_SLOW))(handle);
  if (taken && __tsan_acquire) __tsan_acquire(handle);
  return taken;
}

SWIFT void unlock_slow(SELF void *handle) {
  if (__tsan_release) __tsan_release(handle);
  ((SWIFT void (*)(SELF void *))original(UNLOCK_SLOW))(handle);
}
