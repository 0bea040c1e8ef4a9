import { rmSync } from 'node:fs';
import { freePort, run, start, temporaryFolder } from './programs.ts';

/** `npm start` with what the documents say that it has. */
export type Engine = {
  readonly url: string;
  readonly folder: string;
  /** Applications of two customers, beside that of the sandbox: a key for each service. */
  readonly applications: readonly Application[];
};

export type Application = {
  readonly name: string;
  readonly keys: Readonly<Record<KeyedService, string>>;
  /** Its organization at the document platform, and its university and institute at the credential platform. */
  readonly organization: string;
  readonly university: string;
  readonly institute: string;
};

const KEYED = ['session', 'hub', 'pki', 'documents', 'credentials'] as const;
export type KeyedService = (typeof KEYED)[number];

export const SANDBOX_KEY = 'sandbox|sinete-local-key';
/** Registered for every application of these tests: a page that the sandbox serves. */
export const returnUrlOf = (url: string) => `${url}/sandbox/client/return`;

// Names with a space and an accent, as customers have them, are organizations'. An application has a plain one.
const APPLICATIONS = [
  { name: 'first', organization: 'Primeira Associação', cnpj: '12ABC34501DE35' },
  { name: 'second', organization: 'Segunda & Filhos', cnpj: '11222333000181' },
];

/** Starts an engine in a folder of its own, and makes the two applications. */
export async function startEngine(): Promise<Engine & { readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const folder = temporaryFolder();
  const program = start(`npm start -- --port ${port} --data ${folder}`);
  const url = `http://localhost:${port}`;
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await program.until(`Open ${url}`);
    return { url, folder, applications: await createApplications(url, folder), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One command after the other, as docs/administration.md has them. */
export async function createApplications(url: string, folder: string): Promise<Application[]> {
  const applications: Application[] = [];
  for (const wanted of APPLICATIONS) applications.push(await createApplication(wanted, url, folder));
  return applications;
}

async function createApplication(
  { name, organization, cnpj }: (typeof APPLICATIONS)[number],
  url: string,
  folder: string,
): Promise<Application> {
  const admin = (command: string) => run(`npm run --silent admin -- ${command} --data ${folder}`);
  const firstLine = async (command: string) => (await admin(command)).split('\n')[0] ?? '';
  const services = KEYED.map((service) => `--service ${service}`).join(' ');
  await admin(`apps create ${name} ${services}`);
  const issued = await admin(`keys issue ${name} ${services}`);
  const secrets = issued.split('\n').filter((line) => line.startsWith(`${name}|`));
  const organizationId = await firstLine(
    `organizations create '${organization}' --owner 'maria=Maria da Silva' --identifier ${cnpj} --service documents`,
  );
  const university = await firstLine(
    `organizations create '${organization}' --kind Emissora --kind Registradora --service credentials`,
  );
  const institute = await firstLine(
    `institutes create '${organization}' --organization ${university} --emec 1234 ` +
      `--signer '1=529.982.247-25,ana@sandbox.example,Ana Souza' --signer '2=473.633.618-86,bruno@sandbox.example,Bruno Lima'`,
  );
  await admin(`apps register ${name} organizations ${organizationId} --service documents`);
  await admin(`apps register ${name} organizations ${university} --service credentials`);
  await admin(`apps permit ${name} admin --service documents`);
  await admin(`apps permit ${name} Administrador --service credentials`);
  await admin(`apps register ${name} redirectUris ${returnUrlOf(url)} --service hub`);
  await admin(`apps register ${name} returnUrls ${returnUrlOf(url)} --service pki`);
  await admin(`apps register ${name} trustedOrigins ${url} --service pki`);
  const keys = Object.fromEntries(KEYED.map((service, index) => [service, secrets[index] ?? '']));
  return {
    name,
    keys: keys as Application['keys'],
    organization: organizationId,
    university,
    institute,
  };
}
