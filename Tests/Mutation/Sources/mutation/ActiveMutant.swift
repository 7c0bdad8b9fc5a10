/// A target that the copy of the package imports in order to check which mutant is active. It is
/// written in C, so that it is initialized before any Swift code, and a check costs only two
/// comparisons.
enum ActiveMutant {
  /// The environment variable with the number of the active mutant. If it is not set, no mutant is
  /// active.
  static let variable = "POND_MUTANT"

  /// The environment variable with the path of a file in which the program sets a byte for each
  /// mutant that it reaches. The file is mapped into memory, so that killed programs, and the
  /// programs that they start, write to it as well.
  static let reachVariable = "POND_MUTANT_REACH"

  static let header = """
    #ifndef ACTIVE_MUTANT_H
    #define ACTIVE_MUTANT_H

    #include <stdbool.h>

    extern int pond_active_mutant;
    extern unsigned char *pond_reached_mutants;

    static inline __attribute__((swift_name("isMutant(_:)"))) bool is_mutant(int number) {
      if (__builtin_expect(pond_reached_mutants != 0, 0)) pond_reached_mutants[number] = 1;
      return pond_active_mutant == number;
    }

    static inline __attribute__((swift_name("activeMutant()"))) int active_mutant(void) {
      return pond_active_mutant;
    }

    #endif

    """

  static let code = """
    #include "ActiveMutant.h"

    #include <fcntl.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <unistd.h>

    int pond_active_mutant = -1;
    unsigned char *pond_reached_mutants = 0;

    __attribute__((constructor)) static void read_active_mutant(void) {
      const char *number = getenv("\(variable)");
      if (number != 0) pond_active_mutant = atoi(number);
      const char *path = getenv("\(reachVariable)");
      if (path == 0) return;
      int file = open(path, O_RDWR | O_CLOEXEC);
      struct stat status;
      if (file < 0 || fstat(file, &status) != 0) abort();
      void *bytes =
        mmap(0, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (bytes == MAP_FAILED) abort();
      pond_reached_mutants = bytes;
      close(file);
    }

    """
}
