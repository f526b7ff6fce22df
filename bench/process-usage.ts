import { globSync, readFileSync } from "node:fs";

/** Tick of the kernel's process clock in µs: 100 Hz on common Linux systems. */
const tick = 10_000;

/** Returns the CPU of a process and its children, ended ones included, in µs (Linux). */
export function cpuOf(pid: number): number {
  const processes = globSync("/proc/[0-9]*/stat").flatMap(readStat);
  const cpuFrom = (id: number): number =>
    processes
      .filter((one) => one.pid === id || one.parent === id)
      .reduce((sum, one) => sum + (one.pid === id ? one.cpu : cpuFrom(one.pid)), 0);
  return cpuFrom(pid);
}

function readStat(path: string): { pid: number; parent: number; cpu: number }[] {
  try {
    const [pid = "", rest = ""] = readFileSync(path, "utf8").split(/ \(.*\) /s);
    const fields = rest.split(" ");
    // Positions after the state: ppid is 1, utime 11, stime 12, cutime 13, cstime 14 (proc_pid_stat(5)).
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), cpu: ticks * tick }];
  } catch {
    // The process has ended.
    return [];
  }
}

/** Returns the maximum resident memory of a process, in MB (Linux). */
export function memoryOf(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
