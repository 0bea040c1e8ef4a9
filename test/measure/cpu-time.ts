/**
 * Starts to measure the CPU time of this process, in milliseconds. A busy machine does not increase it.
 * @example const cpuMs = startCpuClock(); parse(bytes); expect(cpuMs()).toBeLessThan(1000);
 */
export function startCpuClock(): () => number {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  };
}
