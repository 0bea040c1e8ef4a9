import type { Difference } from './known.ts';
import type { Command } from './queue-commands.ts';

const errorOf = (outcome: unknown): string | undefined =>
  typeof outcome === 'object' && outcome !== null && 'error' in outcome ? String(outcome.error) : undefined;

/** The differences of queues. */
export const QUEUE_DIFFERENCES: readonly Difference<Command, unknown>[] = [
  {
    engines: ['localstack', 'moto'],
    call: '`ChangeMessageVisibility` of a message that is visible again, or was deleted',
    aws: '`MessageNotInflight`, `InvalidParameterValue`',
    engine: 'taken; moto refuses one that was deleted with `ReceiptHandleIsInvalid`',
    is: (command, ours) => command.do === 'change' && errorOf(ours) !== undefined,
  },
  {
    engines: ['moto'],
    call: '`DeleteMessage` of a message that was deleted or moved',
    aws: 'done',
    engine: '`ReceiptHandleIsInvalid`',
    is: (command, ours, theirs) =>
      command.do === 'remove' && errorOf(ours) === undefined && errorOf(theirs) === 'ReceiptHandleIsInvalid',
  },
];
