import { readFileSync, writeFileSync } from 'node:fs';

// Some packages come as one package a platform. Where a registry lacks the others' builds, npm leaves them out of
// package-lock.json, and `npm ci` then refuses the lock as incomplete. This adds their names; npm ci installs none
// of them but this platform's. Run after npm install: npm run lock.

type Entry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
type Lock = { packages: Record<string, Entry> };

const OS = /android|darwin|linux|win32|freebsd|openbsd|netbsd|sunos|aix|openharmony/;
const CPU = /arm64|x64|ia32|arm|ppc64|s390x|riscv64|loong64|mips64el|wasm32/;

/** The optional packages that a lock names and does not hold. @example missingFrom(lock) // [{ name, wanted, dev }] */
export function missingFrom({ packages }: Lock) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) => path && !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      )
      .map(([name, range]) => ({ name, version: range.replace(/^[\^~]/, ''), dev })),
  );
}

if (import.meta.main) {
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const missing = missingFrom(lock);
  for (const { name, version, dev } of missing) {
    const os = OS.exec(name)?.[0];
    const cpu = CPU.exec(name)?.[0];
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(dev && { dev }),
      ...(/musl/.test(name) && { libc: ['musl'] }),
      optional: true,
      ...(os && { os: [os] }),
    };
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: ${missing.length} packages of other platforms added.`);
}
