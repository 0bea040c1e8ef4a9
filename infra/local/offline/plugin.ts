import ServerlessOffline from 'serverless-offline';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { logger } from '../../../shared/log/logger.ts';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import type { Framework } from '../../plugins/framework.ts';
import { requireAnswers } from '../engine/readiness.ts';
import { type CliOptions, HOST, OPTIONS, readOptions } from './options.ts';
import { type Surroundings, startSurroundings } from './surroundings.ts';

type Utils = { readonly log: { notice(line: string): void } };

/** The longest time of a stop. Stores and queues lose nothing when it is cut off. */
const STOP_MS = 15_000;

/**
 * serverless-offline as the gateway before our functions. It finds them built, with stores, and with the sandbox in them;
 * queues and schedules are brought to them as everywhere else here. ./command.ts loads it.
 */
export class OfflinePlugin extends ServerlessOffline {
  /** By this the framework gives a plugin its log. */
  static readonly _serverlessExternalPluginName = 'serverless-offline';
  readonly #framework: Framework;
  readonly #options: CliOptions;
  readonly #log: Utils['log'];
  #surroundings: Surroundings | undefined;

  constructor(framework: Framework, cliOptions: CliOptions, utils: Utils) {
    super(framework, cliOptions, utils);
    const { stage } = framework.service.provider;
    if (stage !== LOCAL_STAGE)
      throw new framework.classes.Error(`Only stage ${LOCAL_STAGE} runs here, not ${stage}.`, 'SINETE');
    const { offline } = this.commands;
    for (const command of [offline, offline.commands.start])
      command.options = { ...command.options, ...OPTIONS };
    this.#framework = framework;
    this.#options = cliOptions;
    this.#log = utils.log;
  }

  override async start(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      // One line. The framework would add some of its own.
      console.error(reasonOf(error));
      await this.#surroundings?.stop();
      process.exit(1);
    }
  }

  async #start(): Promise<void> {
    const { service, serviceDir } = this.#framework;
    const options = readOptions(this.#options, serviceDir);
    const { httpPort, websocketPort, lambdaPort } = options;
    const surroundings = await startSurroundings(options, serviceDir, (line) => this.#log.notice(line));
    this.#surroundings = surroundings;
    // It declares Lambda's global of streams, and has no streams. With this, as on Lambda, there is none.
    process.env.AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA = '1';
    // It sets the environment of the process before each call.
    Object.assign(service.provider, { region: process.env.AWS_REGION, environment: {} });
    for (const fn of Object.values(service.functions))
      fn.events = fn.events.filter(({ schedule }) => schedule === undefined);
    Object.assign(this.#options, { host: HOST, httpPort, websocketPort, lambdaPort });
    service.custom = {
      ...service.custom,
      'serverless-offline': {
        location: surroundings.buildDir,
        useInProcess: true,
        noPrependStageInUrl: true,
        noAuth: true,
        // API Gateway hands cookies on as they are.
        disableCookieValidation: true,
      },
    };
    // One function's mistake. The calls of all others go on.
    process.on('unhandledRejection', (error) =>
      logger('engine').error('promise rejected and not handled', { error }),
    );
    await super.start();
    this.#correctRequests();
    await surroundings.startEvents();
    await requireAnswers(surroundings.url);
    const { dataDir } = options;
    this.#log.notice(`\nData is in ${dataDir}. Agents connect to ${process.env.Agents__SocketUrl}.`);
    this.#log.notice(`Ctrl-C stops everything.\nOpen ${surroundings.url}/sandbox`);
  }

  /**
   * It hands bodies on as text, but for two types that it knows to be bytes. With `binaryMediaTypes: *\/*` API Gateway
   * hands on all of them as bytes. And it allows every origin everything, with credentials, which API Gateway does not.
   * The functions see the caller's own headers, which it takes from elsewhere.
   */
  #correctRequests(): void {
    this.internals()
      .getApiGatewayServer()
      .ext('onRequest', (request, toolkit) => {
        request.headers['content-type'] = 'application/octet-stream';
        delete request.headers.origin;
        return toolkit.continue;
      });
  }

  override async end(): Promise<void> {
    setTimeout(() => process.exit(0), STOP_MS);
    await this.#surroundings?.stopEvents();
    await super.end(true);
    await this.#surroundings?.stop();
    process.exit(0);
  }
}
