import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { listApplications } from '../../shared/access/administration.ts';
import { CommandRefusal, isDiskFull, reasonOf } from '../../shared/command-line/reason.ts';
import { logger } from '../../shared/log/logger.ts';
import { shareMetrics } from '../../shared/metrics/processes.ts';
import { KEYED_SERVICES } from '../../shared/settings/names.ts';
import { externalEndpoints, storesOutOfReach } from '../local/stores/endpoints.ts';
import { openMetricsFolder } from '../runtime/http/metrics.ts';
import { createDeclared } from '../runtime/resources/create.ts';
import { readDeclared } from '../runtime/resources/read.ts';
import { unknownSettings } from '../settings.ts';
import { ensureBuild } from './build.ts';
import { type HostConfig, readConfig } from './config/config.ts';
import { enterStage } from './config/environment.ts';
import { type Flags, readFlags, USAGE } from './config/flags.ts';
import { lockData, openToOthers } from './data-folder.ts';
import { measureHost } from './measure.ts';
import { startProcesses } from './processes/processes.ts';
import { notifyServiceManager } from './processes/service-manager.ts';
import { freeWorkOf, useHostStores } from './stores.ts';

/** Some runners pass on the signal that the terminal has sent already. Only a later one means: stop at once. */
const SAME_SIGNAL_MS = 500;
/** For telling the batch service's event log of the stop. */
const RECORD_WITHIN_MS = 5_000;

type Host = { stop(): Promise<void>; kill(): void; renewCertificate(): void };

/** Runs the host until a signal ends it: 0 for a signal, 1 with the reason on stderr for a start that fails. */
export async function runHost(argv: readonly string[], root: string): Promise<void> {
  let host: Host | undefined;
  let signalledAt: number | undefined;
  const end = (): void => {
    if (signalledAt !== undefined && performance.now() - signalledAt < SAME_SIGNAL_MS) return;
    if (signalledAt !== undefined || !host) {
      host?.kill();
      process.exit(130);
    }
    signalledAt = performance.now();
    host.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(reasonOf(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  process.on('SIGHUP', () => host?.renewCertificate());

  try {
    const flags = readFlags(argv);
    if (!flags) return console.log(USAGE);
    // Code that reads functions/ or infra/ does so from the root.
    process.chdir(root);
    const config = await checkedConfig(flags);
    if (flags.check) return console.log(`${config.file} and the environment are complete.`);
    host = await start(config, root);
  } catch (error) {
    console.error(error instanceof CommandRefusal ? error.message : explain(error));
    process.exit(1);
  }
}

const explain = (error: unknown): string =>
  isDiskFull(error) ? 'The disk is full. Make room and start again.' : reasonOf(error);

/** Reads the file, sets the environment of the functions by it, and checks both. Throws what is missing or wrong. */
export async function checkedConfig({ config: file, tls }: Flags): Promise<HostConfig> {
  const read = await readConfig(file);
  const config = { ...read, listen: { ...read.listen, ...tls } };
  await enterStage(config);
  requireCertificate(config);
  return config;
}

function requireCertificate({ listen: { cert, key } }: HostConfig): void {
  if (cert === undefined || key === undefined) return;
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
  } catch (error) {
    throw new CommandRefusal(`${cert} and ${key} cannot be used for TLS: ${reasonOf(error)}.`);
  }
}

async function start(config: HostConfig, root: string): Promise<Host> {
  const { stage, data, publicUrl, listen, workers } = config;
  const log = logger('host');
  for (const line of await unknownSettings(process.env)) log.warn(line);
  const lock = data === undefined ? undefined : await lockData(data, listen.port);
  const open = data === undefined ? undefined : openToOthers(data);
  if (open !== undefined) log.warn(open);
  log.info('starting', { stage, stores: config.stores, workers, pid: process.pid });
  await freeWorkOf(config);
  const stores = useHostStores(config);
  // Side by side: a build takes seconds.
  const [buildDir] = await Promise.all([
    ensureBuild(root),
    createDeclared(readDeclared(root, stage), log.info).catch((error) => {
      const external = config.stores === 'endpoints' && externalEndpoints(process.env);
      throw external ? storesOutOfReach(external, error) : error;
    }),
  ]);
  for (const command of await firstSteps(config.file))
    log.info('no application has a key yet; one of the first steps', { command });
  const metrics = openMetricsFolder();
  shareMetrics();
  const measured = measureHost(config);
  const processes = await startProcesses({ root, buildDir, config }, log);
  log.info('ready', { listen: `${listen.host}:${listen.port}`, publicUrl });
  void notifyServiceManager('READY=1', log);
  return {
    ...processes,
    renewCertificate() {
      processes.renewCertificate();
      measured.renewCertificate();
    },
    async stop() {
      void notifyServiceManager('STOPPING=1', log);
      await processes.stop();
      await Promise.race([recordStop(), pause(RECORD_WITHIN_MS)]);
      stores.close();
      metrics.remove();
      lock?.release();
      log.info('stopped');
    },
  };
}

/** Tells the batch service's event log of an orderly stop. A stop goes on without it. */
async function recordStop(): Promise<void> {
  const { recordServiceStopped } = await import(
    '../../functions/batch/installation/cluster/domain/stop-instance.ts'
  );
  await recordServiceStopped(Date.now()).catch(() => undefined);
}

/**
 * The commands that make the first application, its key and the first organization; none once there is an application.
 * @example for (const command of await firstSteps('/etc/sinete/sinete.yaml')) log.info(command);
 */
async function firstSteps(configFile: string): Promise<string[]> {
  const found = await Promise.all(KEYED_SERVICES.map(listApplications));
  if (found.some((applications) => applications.length > 0)) return [];
  const admin = (command: string): string => `npm run admin -- ${command} --config ${configFile}`;
  const services = KEYED_SERVICES.map((service) => `--service ${service}`).join(' ');
  return [
    admin(`apps create NAME ${services}`),
    admin(`keys issue NAME ${services}`),
    admin('organizations create "Name" --owner ID=NAME --identifier CNPJ --service documents'),
    admin('apps register NAME organizations ORGANIZATION --service documents'),
  ];
}
