import v8 from 'node:v8';

/** Returns the bytes that `action` allocates on the heap, including those that are collected before it ends. */
export async function measureAllocation<Result>(
  action: () => Promise<Result>,
): Promise<Result & { readonly allocatedBytes: number }> {
  // Not the sampling profiler of the inspector: it forces a full collection, which takes most of the time of the test.
  const profiler = new v8.GCProfiler();
  profiler.start();
  const usedBefore = v8.getHeapStatistics().used_heap_size;
  const result = await action();
  const usedAfter = v8.getHeapStatistics().used_heap_size;
  const collected = profiler
    .stop()
    .statistics.reduce(
      (sum, { beforeGC, afterGC }) =>
        sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
      0,
    );
  return { ...result, allocatedBytes: usedAfter - usedBefore + collected };
}
