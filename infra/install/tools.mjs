// Programs that no package of npm brings. `npm run doctor` names those that are missing; run by itself, this prints the packages
// that have them, which .ci/run installs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** For the commands of README.md and of docs/. */
export const FOR_DOCS = [
  { command: 'curl', use: 'the calls of the documentation; 7.82 or newer, for --json' },
  { command: 'openssl', use: 'the example with two signers, which signs by itself' },
];

/** For `npm test`; the package is Debian's. */
export const FOR_TESTS = [
  { command: 'chromium', package: 'chromium', use: 'tests of pages' },
  { command: 'chromium-headless-shell', package: 'chromium-headless-shell', use: 'tests of pages, faster' },
  {
    command: 'openssl',
    package: 'openssl',
    use: 'a second opinion on signatures, timestamps and certificates',
  },
  { command: 'pdfsig', package: 'poppler-utils', use: 'a second opinion on signed PDFs' },
  { command: 'qpdf', package: 'qpdf', use: 'the structure of PDFs' },
  { command: 'mutool', package: 'mupdf-tools', use: 'the structure of PDFs, by another reader' },
  { command: 'xmlsec1', package: 'xmlsec1', use: 'a second opinion on signed XML' },
  { command: 'certutil', package: 'libnss3-tools', use: 'certificates for pdfsig and Chromium' },
  {
    command: 'softhsm2-util',
    package: 'softhsm2',
    use: 'a token without hardware, for the workstation agent',
  },
  { command: 'pkcs11-tool', package: 'opensc', use: 'keys and certificates on that token' },
  { command: 'curl', package: 'curl', use: 'the commands of the documentation' },
  { command: 'oathtool', package: 'oathtool', use: 'one-time codes by another program' },
  { command: 'strace', package: 'strace', use: 'what reaches the disk before an answer' },
  // The models of other languages are compiled, and run.
  { command: 'python3', package: 'python3', use: 'the models of Python' },
  {
    command: 'python3 -m venv',
    module: 'ensurepip',
    package: 'python3-venv',
    use: 'the client in Python, and pyHanko, a second opinion on signatures',
  },
  { command: 'php', package: 'php-cli', use: 'the models of PHP' },
  { command: 'javac', package: 'default-jdk-headless', use: 'the models of Java' },
  {
    command: 'mvn',
    package: 'maven',
    use: 'the client in Java, and EU DSS and DynamoDB Local, judges of signatures and stores',
  },
  { command: 'go', package: 'golang-go', use: 'the models of Go; 1.24 or newer' },
  { command: 'mcs', package: 'mono-mcs', use: 'the models of C#' },
  {
    file: '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll',
    package: 'libnewtonsoft-json5.0-cil',
    use: 'JSON of the models of C#',
  },
  {
    file: '/usr/lib/mono/4.5/System.Net.Http.dll',
    package: 'libmono-system-net-http4.0-cil',
    use: 'calls of the models of C#',
  },
];

/** A tool is a command, a file of a library, or a module of Python. */
export const isInstalled = ({ command = '', file = '', module = '' }) =>
  existsSync(file) ||
  (module !== '' && spawnSync('python3', ['-c', `import ${module}`]).status === 0) ||
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && command !== '' && existsSync(join(folder, command)));

if (process.argv[1]?.endsWith('tools.mjs'))
  for (const tool of FOR_TESTS) if (!isInstalled(tool)) console.log(tool.package);
