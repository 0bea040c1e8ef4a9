import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The block of the page, or the commands that it has where there is no such block. */
function firstBlock(): string {
  const block = blocksOf('docs/self-hosting.md').find(({ heading }) => heading.includes(HEADING));
  return block?.text ?? COMMANDS_OF_THE_PAGE;
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
  if (isRoot) await run(`chmod 0755 '${folder}' && chown -R nobody '${folder}'`);
  const port = await freePort();
  const env = {
    PATH: `${folder}/bin:${process.env.PATH}`,
    HOME: folder,
    HOME_OF_SINETE: home,
    PORT: String(port),
    PIN,
    SINETE_CONFIG: join(home, 'sinete.yaml'),
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

const COMMANDS_OF_THE_PAGE = `
set -e
npm ci --omit=dev --no-audit --no-fund
npm run build:host
mkdir -p "$HOME_OF_SINETE/secrets"
cp roots.pem "$HOME_OF_SINETE/roots.pem"
cat > "$SINETE_CONFIG" <<EOF
stage: prod
publicUrl: http://localhost:$PORT
listen: { port: $PORT }
data: data
settings:
  Certificates:TrustAnchors: $HOME_OF_SINETE/roots.pem
  SecurityContexts:PkiBrazil: $HOME_OF_SINETE/roots.pem
  Sealing:Keys: { file: secrets/sealing.keys }
  Signer:BaseAddress: http://localhost:$PORT/documents
  Signer:ApiKey: { file: secrets/signer-key }
  Auth:ApiKey: { file: secrets/operator-key }
  Network:AllowPrivateAddresses: true
EOF
npm run admin -- keys create --to "$HOME_OF_SINETE/secrets/sealing.keys"
openssl rand -hex 32 > "$HOME_OF_SINETE/secrets/operator-key"
touch "$HOME_OF_SINETE/secrets/signer-key"
ORGANIZATION=$(npm run -s admin -- organizations create Acme --identifier 11222333000181 --owner maria="Maria da Silva" --service documents | head -1)
npm run admin -- apps create session-server --service documents
npm run admin -- apps register session-server organizations "$ORGANIZATION" --service documents
npm run -s admin -- keys issue session-server --service documents | head -1 > "$HOME_OF_SINETE/secrets/signer-key"
npm run admin -- apps create my-application --service session
KEY=$(npm run -s admin -- keys issue my-application --service session | head -1)
CPF=$(npm run -s admin -- vault import holder.p12 --pin-env PIN | sed -n 's/.* CPF \\([0-9]*\\),.*/\\1/p')
node infra/host/serve.mjs > "$HOME_OF_SINETE/host.log" 2>&1 &
trap 'kill $!; wait' EXIT
curl -sf --retry 300 --retry-delay 1 --retry-all-errors -o /dev/null "http://localhost:$PORT/readyz"
SESSION=$(curl -s -H "X-API-Key: $KEY" --json "{\\"cpf\\":\\"$CPF\\",\\"pin\\":\\"$PIN\\"}" "http://localhost:$PORT/session/v1/sessions" | sed 's/.*"sessionId":"\\([^"]*\\)".*/\\1/')
SIGNATURE=$(curl -s -H "X-API-Key: $KEY" -F "sessionId=$SESSION" -F 'document=@examples/two-signers/contract.pdf;type=application/pdf' "http://localhost:$PORT/session/v1/signatures" | sed 's/.*"signatureId":"\\([^"]*\\)".*/\\1/')
curl -sf -H "X-API-Key: $KEY" -o "$HOME_OF_SINETE/signed.pdf" "http://localhost:$PORT/session/v1/signatures/$SIGNATURE/document"
npm run verify -- "$HOME_OF_SINETE/signed.pdf" --trust "$HOME_OF_SINETE/roots.pem"
`;
