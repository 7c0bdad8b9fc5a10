/// The target that the copy of the package asks which mutant is switched on, in C, as that is there
/// before anything of Swift is, and costs a comparison.
enum ActiveMutant {
  /// Its number; none otherwise.
  static let variable = "POND_MUTANT"

  /// A file with a byte for each number, in which those are set that the program has come to. It is
  /// mapped, so that programs that are killed, and those that they start, write into it as well.
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
