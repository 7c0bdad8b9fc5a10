// oneTBB's flow graph behind a C interface, for the workloads whose pebbles wait for all of their
// predecessors.
#ifndef C_TASK_GRAPH_H
#define C_TASK_GRAPH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Nanoseconds of all processors together, and by the clock.
typedef struct {
  int64_t cpu;
  int64_t wall;
} TaskGraphTime;

/// What one run took, and how many bodies it ran.
typedef struct {
  TaskGraphTime define;
  TaskGraphTime run;
  int64_t executed;
} TaskGraphMeasurement;

/// The version of the oneTBB this was compiled with, or NULL when it was not installed.
const char *_Nullable task_graph_version(void);

/// Builds a graph of `count` nodes and runs it once. Node `i` waits for `predecessors[offsets[i]]`
/// up to, not including, `predecessors[offsets[i + 1]]`. The graph is destroyed before returning,
/// but outside of both times.
TaskGraphMeasurement task_graph_run(const int32_t *_Nonnull offsets,
                                    const int32_t *_Nullable predecessors, int32_t count);

#ifdef __cplusplus
}
#endif

#endif
