import { randomUUID } from 'node:crypto';

/** A stage of a test's own. Against stores that run elsewhere its name begins with that of the run, which removes it. */
export const newStage = (): string => {
  const { STAGE = '' } = process.env;
  return `${STAGE.startsWith('stores-') ? STAGE : 'test'}-${randomUUID().slice(0, 8)}`;
};
