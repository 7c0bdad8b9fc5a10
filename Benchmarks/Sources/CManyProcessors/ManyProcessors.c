#define _GNU_SOURCE

#include "CManyProcessors.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

enum { processors = 64 };

int pretended_processor_count(void) { return processors; }

// A definition in the executable comes before the one in libc, also for the Swift runtime and for
// libdispatch, which asks both of these.
long sysconf(int name) {
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) {
    return processors;
  }
  long (*next)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return next != NULL ? next(name) : -1;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  CPU_ZERO_S(size, set);
  for (int processor = 0; processor < processors; processor++) {
    CPU_SET_S(processor, size, set);
  }
  return 0;
}

#else

int pretended_processor_count(void) { return 0; }

#endif
