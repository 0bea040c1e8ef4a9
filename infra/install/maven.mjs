import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/**
 * Has Maven put files of its registry into a folder, and holds each against its SHA-256. A file is named by its path there:
 * org/slf4j/slf4j-api/1.7.30/slf4j-api-1.7.30.jar. None brings others along.
 */
export async function fetchFromMaven(files, folder) {
  const project = mkdtempSync(join(tmpdir(), 'sinete-maven-'));
  try {
    const pom = join(project, 'pom.xml');
    writeFileSync(pom, projectOf(Object.keys(files).map(dependencyOf)));
    const options = [
      '-q',
      '-B',
      '-f',
      pom,
      PLUGIN,
      '-DexcludeTransitive=true',
      `-DoutputDirectory=${folder}`,
    ];
    await promisify(execFile)('mvn', options, { maxBuffer: 10_000_000 });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  for (const [path, sha256] of Object.entries(files)) {
    const found = createHash('sha256')
      .update(readFileSync(join(folder, basename(path))))
      .digest('hex');
    if (found !== sha256) throw new Error(`${path} is another file than the one listed: ${found}`);
  }
}

const projectOf = (dependencies) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>sinete</groupId><artifactId>files</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>
`;

function dependencyOf(path) {
  const parts = path.split('/');
  const [artifact = '', version = '', file = ''] = parts.slice(-3);
  const [, classifier, type] = /^(?:-(.+))?\.(\w+)$/.exec(file.slice(`${artifact}-${version}`.length)) ?? [];
  return [
    `<dependency><groupId>${parts.slice(0, -3).join('.')}</groupId><artifactId>${artifact}</artifactId>`,
    `<version>${version}</version><type>${type}</type>`,
    classifier ? `<classifier>${classifier}</classifier>` : '',
    '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>',
  ].join('');
}
