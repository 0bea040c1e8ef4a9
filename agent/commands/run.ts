import type { Output } from '../../shared/command-line/output.ts';
import { registrarOf } from '../certificates.ts';
import { connectionOf } from '../connection.ts';
import { type Holder, holderOf } from '../holder/holder.ts';
import { openBrowser } from '../holder/open-browser.ts';
import { type HolderPage, servePage } from '../holder/page-server.ts';
import { askInTerminal } from '../holder/terminal.ts';
import { type Identity, readIdentity } from '../identity.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { DEFAULT_TIMES, pinKeeper, type Times } from '../pin-keeper.ts';
import { removeRunning, requireAlone, writeRunning } from '../running-file.ts';
import { doTask } from '../tasks.ts';

export type RunOptions = {
  readonly dataDir: string;
  readonly openStore: () => KeyStore;
  /** Undefined: no page is served. */
  readonly pagePort: number | undefined;
  /** Whether the page is opened in a browser when a question comes. */
  readonly opensBrowser: boolean;
  readonly times?: Partial<Times>;
  /** Answers for a holder who does not exist: the sandbox's. */
  readonly attend?: (holder: Holder) => Promise<void>;
  /** The address of the server, if it has moved since the enrolment. */
  readonly server?: string;
};

// How often tokens that were inserted or removed are looked for.
const LOOK_EVERY_MS = 3_000;

/** `sinete-agent run`: does the server's tasks until the signal. */
export async function run(options: RunOptions, output: Output, stop: AbortController): Promise<void> {
  const { dataDir } = options;
  const read = readIdentity(dataDir);
  const identity: Identity = { ...read, server: options.server ?? read.server };
  requireAlone(dataDir);
  const store = options.openStore();
  const closers: (() => void)[] = [() => store.close()];
  try {
    await serve(options, { identity, store, output, stop, closers });
  } finally {
    for (const close of closers.toReversed()) close();
  }
}

type StartedRun = {
  readonly identity: Identity;
  readonly store: KeyStore;
  readonly output: Output;
  readonly stop: AbortController;
  /** Called at the end of the run, the last one first. */
  readonly closers: (() => void)[];
};

async function serve(
  options: RunOptions,
  { identity, store, output, stop, closers }: StartedRun,
): Promise<void> {
  const { dataDir } = options;
  const { signal } = stop;
  const keeper = pinKeeper(store, { ...DEFAULT_TIMES, ...options.times });
  closers.push(() => keeper.forget());
  const holder: Holder = holderOf(keeper, { onUnlocked: () => void registrar.refresh() });
  const askForPin = async (whose: string | undefined): Promise<void> => {
    output.print(`The PIN of ${store.name} is needed once, to show that its key is here.`);
    const answer = await holder.ask(
      { reason: { kind: 'first-use' }, holder: whose, endsAtMs: undefined },
      signal,
    );
    if (answer === 'impossible' && !signal.aborted)
      output.printError('Nobody can be asked for it: run the agent in a terminal, or with its page.');
  };
  const registrar = registrarOf({
    identity,
    dataDir,
    store,
    keeper,
    output,
    signal,
    needPin: (whose) => void askForPin(whose),
  });
  const connection = connectionOf({
    identity,
    output,
    signal,
    pinInUse: () => keeper.inUse() !== undefined,
    work: (task, over) => doTask({ identity, store, keeper, holder, registrar, output }, task, over),
  });
  keeper.onChange(connection.renew);
  const status = () => ({
    connected: connection.isConnected(),
    pin: keeper.restsUntilMs() ? 'resting' : keeper.inUse() === undefined ? 'none' : 'in use',
    certificates: registrar.held().map(({ sha256, subject }) => ({ sha256, subject: subject.text })),
  });

  const page = await openPage();
  writeRunning(dataDir, { pid: process.pid, ...(page && { page: page.url }) });
  closers.push(() => removeRunning(dataDir));
  if (process.stdin.isTTY) {
    const terminal = { keyboard: process.stdin, screen: process.stderr, interrupt: () => stop.abort() };
    const asking = askInTerminal(holder, terminal, output);
    closers.push(() => asking.stop());
  }
  await options.attend?.(holder);
  await registrar.refresh();
  const looking = setInterval(() => void registrar.refresh(), LOOK_EVERY_MS);
  closers.push(() => clearInterval(looking));
  await connection.run();

  async function openPage(): Promise<HolderPage | undefined> {
    if (options.pagePort === undefined) return undefined;
    const opened = await servePage({
      holder,
      keeper,
      status,
      server: identity.server,
      store: store.name,
      port: options.pagePort,
      lastTry: registrar.lastTry,
      printError: output.printError,
    });
    closers.push(() => opened.close());
    output.print(`Your page: ${opened.url}`);
    let shown = 0;
    holder.questions.onChange(() => {
      const count = holder.questions.list().length;
      if (count > shown && options.opensBrowser) openBrowser(opened.url);
      shown = count;
    });
    return opened;
  }
}
