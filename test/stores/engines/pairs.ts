import { ENGINES, isEngineInstalled } from '../../../infra/install/engines/installed.mjs';
import { type Engine, type Service, startEngine } from './start.ts';

/** The engine of the tables, and that of files and queues. */
export type Pair = { readonly tables: string; readonly files: string };

/** Every engine once, and one of them for everything. */
export const PAIRS: readonly Pair[] = [
  { tables: 'dynoxide', files: 'moto' },
  { tables: 'dynamodb-local', files: 'localstack' },
  { tables: 'moto', files: 'moto' },
];

/** Names the engines that are not installed. In CI that is a failure. */
export function missingOf(pairs: readonly Pair[]): readonly string[] {
  const names = new Set(pairs.flatMap(({ tables, files }) => [tables, files]));
  return [...names].filter((name) => !isEngineInstalled(name));
}

export const labelOf = (name: string): string => `${name} ${ENGINES[name]?.version}`;

type Started = { readonly env: Record<string, string>; readonly stop: () => Promise<void> };

/** Starts both engines of a pair. */
export async function startPair({ tables, files }: Pair): Promise<Started> {
  const wanted: [string, Service[]][] =
    tables === files
      ? [[tables, ['DYNAMODB', 'S3', 'SQS']]]
      : [
          [tables, ['DYNAMODB']],
          [files, ['S3', 'SQS']],
        ];
  const started = await Promise.allSettled(wanted.map(([name, services]) => startEngine(name, services)));
  const engines = started.flatMap((each): Engine[] => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(engines.map((engine) => engine.stop()));
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const names = { JUDGE_DYNAMODB: tables, JUDGE_S3: files, JUDGE_SQS: files };
  return { env: Object.assign(names, ...engines.map(({ env }) => env)), stop };
}
