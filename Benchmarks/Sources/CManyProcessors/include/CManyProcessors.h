// Lets the whole process believe that the machine has 64 processors, so that the library and the
// thread pool behind Swift's tasks make as many threads as they would there. Link it only into a
// program whose bodies sleep instead of computing.
#ifndef C_MANY_PROCESSORS_H
#define C_MANY_PROCESSORS_H

/// How many processors the process believes in; 0 where it cannot be made to believe.
int pretended_processor_count(void);

#endif
