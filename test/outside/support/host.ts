import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Authority, startAuthority } from './own-authority.ts';
import { blocksOf } from './pages.ts';
import { freePort, type Program, REPOSITORY, run, start, temporaryFolder } from './programs.ts';

// docs/self-hosting.md has one block that goes from nothing to a first signature. It is run in the folder of the sources,
// with holder.p12 and roots.pem in it, and may be told where to install and which port to take.
const HEADING = 'From nothing to a first signature';
export const PIN = '1234';
export const CPFS = ['52998224725', '47363361886'] as const;

/** An installation as docs/self-hosting.md makes it, by a user without privileges. */
export type Installation = {
  readonly home: string;
  readonly port: number;
  readonly authority: Authority;
  readonly remove: () => void;
  /** A line of a shell in the folder of the sources, as that user. */
  readonly command: (line: string) => Promise<string>;
  readonly serve: (config: string) => Program;
};

function firstBlock(): string {
  const block = blocksOf('docs/self-hosting.md').find(({ heading }) => heading.includes(HEADING));
  if (!block) throw new Error(`docs/self-hosting.md has no block under "${HEADING}".`);
  return block.text;
}

/** Copies the sources, runs the block, and gives what it left behind. */
export async function install(): Promise<Installation> {
  const folder = temporaryFolder();
  const [sources, home, made] = ['sources', 'sinete', 'authority'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [sources, home, made, join(folder, 'bin')]) mkdirSync(each);
  await run(
    `git ls-files -z --cached --others --exclude-standard | tar --null -T - -c --ignore-failed-read | tar x -C '${sources}'`,
  );
  // A machine with the Node that the page asks for.
  await run(`cp -L '${join(REPOSITORY, 'node_modules/node/bin/node')}' '${folder}/bin/node'`);

  const authority = await startAuthority(made);
  await authority.issueHolder(join(sources, 'holder.p12'), 'Ana Souza', CPFS[0], PIN);
  await authority.issueHolder(join(sources, 'second.p12'), 'Bruno Lima', CPFS[1], PIN);
  copyFileSync(authority.root, join(sources, 'roots.pem'));

  const remove = () => {
    authority.close();
    rmSync(folder, { recursive: true, force: true });
  };

  const isRoot = process.getuid?.() === 0;
  // The temporary folder of a run of tests is of its user alone.
  if (isRoot)
    await run(`chmod a+x '${dirname(folder)}' && chmod 0755 '${folder}' && chown -R nobody '${folder}'`);
  const port = await freePort();
  const env = {
    PATH: `${folder}/bin:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    HOME_OF_SINETE: home,
    PORT: String(port),
    PIN,
    SINETE_CONFIG: join(home, 'sinete.yaml'),
    // The authority of the test is on this machine.
    Network__AllowPrivateAddresses: 'true',
    npm_config_cache: join(folder, '.npm'),
  };
  const asUser = (line: string) =>
    isRoot ? `runuser -u nobody -- bash -euo pipefail -c ${quoted(line)}` : line;
  const options = { cwd: sources, env };
  const command = (line: string) => run(asUser(line), options);
  writeFileSync(join(sources, 'first.sh'), firstBlock());
  await command(
    'bash -x first.sh > ../first.log 2>&1 || { tail -n 40 ../first.log "$HOME_OF_SINETE"/*.log; exit 1; }',
  ).catch((error) => {
    remove();
    throw new Error(`${HEADING}: ${(error as { stdout?: string }).stdout ?? error}`);
  });
  return {
    home,
    port,
    authority,
    remove,
    command,
    // The host calls its own address, which the authority certifies.
    serve: (config) =>
      start(asUser(`exec node infra/host/serve.mjs --config '${config}'`), {
        ...options,
        env: { ...env, NODE_EXTRA_CA_CERTS: join(home, 'roots.pem') },
      }),
  };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const readHome = ({ home }: Installation, name: string): string =>
  readFileSync(join(home, name), 'utf8');
