import { s3 } from '../../../../shared/files/client.ts';
import { dynamo } from '../../../../shared/store/client.ts';

type Next = (args: never) => Promise<unknown>;
type Stack = {
  add(
    middleware: (next: Next) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

export type Shares = { readonly store: number; readonly files: number; readonly rest: number };

/** The parts of a work's time that it waits for the store and for files; the rest is its own. One call at a time. */
export async function sharesOf(work: () => Promise<unknown>): Promise<Shares> {
  const waited = { store: 0, files: 0 };
  const name = 'time calls';
  const clients = { store: dynamo(), files: s3() };
  const stacks = Object.entries(clients).map(
    ([part, { middlewareStack }]) =>
      [part as keyof typeof waited, middlewareStack as unknown as Stack] as const,
  );
  for (const [part, stack] of stacks)
    stack.add(
      (next) => async (args) => {
        const startedAt = performance.now();
        try {
          return await next(args);
        } finally {
          waited[part] += performance.now() - startedAt;
        }
      },
      { step: 'initialize', name },
    );
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    for (const [, stack] of stacks) stack.remove(name);
  }
  const total = performance.now() - startedAt;
  const [store, files] = [waited.store / total, waited.files / total];
  return { store, files, rest: 1 - store - files };
}

export const inPercent = ({ store, files, rest }: Shares): string => {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return `store ${percent(store)}, files ${percent(files)}, signing and the rest ${percent(rest)}`;
};
