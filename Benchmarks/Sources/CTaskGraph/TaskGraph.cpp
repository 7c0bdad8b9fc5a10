#include "CTaskGraph.h"

#if defined(__ELF__) && __has_include(<tbb/flow_graph.h>)

#include <tbb/flow_graph.h>
#include <tbb/version.h>

#include <atomic>
#include <ctime>
#include <deque>

// Where the Swift driver looks, on ELF, for the libraries an object needs. A linker setting in the
// manifest would have to be conditional on oneTBB being installed, and SwiftPM caches manifests.
__attribute__((used, retain, section(".swift1_autolink_entries")))
static const char linked_library[] = "-ltbb";

using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;

static int64_t reading(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

static TaskGraphTime now() {
  return {reading(CLOCK_PROCESS_CPUTIME_ID), reading(CLOCK_MONOTONIC)};
}

static TaskGraphTime operator-(TaskGraphTime end, TaskGraphTime start) {
  return {end.cpu - start.cpu, end.wall - start.wall};
}

const char *task_graph_version(void) { return TBB_VERSION_STRING; }

TaskGraphMeasurement task_graph_run(const int32_t *offsets, const int32_t *predecessors,
                                    int32_t count) {
  std::atomic<int64_t> tally{0};
  TaskGraphMeasurement result{};

  const auto start = now();
  tbb::flow::graph graph;
  // Nodes do not move; a deque gives them stable places in few allocations.
  std::deque<Node> nodes;
  for (int32_t index = 0; index < count; index += 1) {
    Node &node = nodes.emplace_back(graph, [&tally](const tbb::flow::continue_msg &) {
      tally.fetch_add(1, std::memory_order_relaxed);
    });
    for (int32_t atom = offsets[index]; atom < offsets[index + 1]; atom += 1) {
      tbb::flow::make_edge(nodes[predecessors[atom]], node);
    }
  }
  const auto defined = now();

  for (int32_t index = 0; index < count; index += 1) {
    if (offsets[index] == offsets[index + 1]) {
      nodes[index].try_put(tbb::flow::continue_msg());
    }
  }
  graph.wait_for_all();
  result.executed = tally.load(std::memory_order_relaxed);
  const auto finished = now();

  result.define = defined - start;
  result.run = finished - defined;
  return result;
}

#else

const char *task_graph_version(void) { return nullptr; }

TaskGraphMeasurement task_graph_run(const int32_t *, const int32_t *, int32_t) { return {}; }

#endif
