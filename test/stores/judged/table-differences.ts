import type { Command } from '../../shared/embedded/tables/model/commands.ts';
import type { Outcome } from '../../shared/embedded/tables/model/model.ts';
import type { Difference } from './known.ts';

type TableDifference = Difference<Command, Outcome>;

const codesOf = (outcome: Outcome): string[] =>
  'error' in outcome ? [outcome.error, ...(outcome.reasons ?? []).map(({ code }) => code)] : [];
const isRefused = (outcome: Outcome): boolean => 'error' in outcome;
const isInvalid = (outcome: Outcome): boolean =>
  codesOf(outcome).some((code) => code === 'ValidationException' || code === 'ValidationError');

const actionsOf = (command: Command) =>
  (command.do === 'write' ? [command.write] : command.do === 'transact' ? command.writes : []).flatMap(
    (write) => (write.kind === 'Update' ? write.update : []),
  );

const KEYS = ['g', 'r', 's'];
const setsIndexKey = (command: Command): boolean =>
  actionsOf(command).some(({ clause, path }) => clause === 'SET' && KEYS.includes(path[0]));
const isInside = (command: Command): boolean => actionsOf(command).some(({ path }) => path.length > 1);

/** The differences of tables. */
export const TABLE_DIFFERENCES: readonly TableDifference[] = [
  {
    engines: ['dynamodb-local', 'dynoxide'],
    call: '`TransactWriteItems` with an item that no write makes valid',
    aws: '`TransactionCanceledException` with `ValidationError` at that item',
    engine: '`ValidationException` for the whole request, or other codes at the other items',
    is: (command, ours, theirs) =>
      command.do === 'transact' &&
      isRefused(ours) &&
      isRefused(theirs) &&
      (isInvalid(ours) || isInvalid(theirs)),
  },
  {
    engines: ['dynamodb-local'],
    call: '`UpdateItem` that sets an attribute of an index’s key to a value of another type',
    aws: 'refused',
    engine: 'taken at times',
    is: (command, ours, theirs) => isInvalid(ours) && !isInvalid(theirs) && setsIndexKey(command),
  },
  {
    engines: ['dynamodb-local', 'dynoxide'],
    call: '`UpdateItem` of something inside a map or list, which returns what it updated',
    aws: 'the paths of the update',
    engine: 'the whole map or list at times',
    is: (command, ours, theirs) =>
      command.do === 'write' &&
      command.returns.startsWith('UPDATED') &&
      isInside(command) &&
      !isRefused(ours) &&
      !isRefused(theirs),
  },
  {
    engines: ['dynamodb-local'],
    call: '`Scan` of an index with a filter on an attribute that it does not have',
    aws: 'as if no item had it',
    engine: 'looks at the item of the table',
    is: (command, ours, theirs) =>
      command.do === 'scan' && command.index === 'by-s' && !isRefused(ours) && !isRefused(theirs),
  },
  {
    engines: ['dynoxide'],
    call: 'a request that fits no item: operands of other types, a path without a parent, a filter on what an index has not',
    aws: 'refused with `ValidationException`',
    engine: 'taken, and the condition does not hold',
    is: (_, ours, theirs) => isInvalid(ours) && !isInvalid(theirs),
  },
  {
    engines: ['dynoxide'],
    call: '`UpdateItem` that makes an item, and returns the one before',
    aws: 'no attributes',
    engine: 'the key of the new item',
    is: (command, ours, theirs) =>
      command.do === 'write' &&
      command.write.kind === 'Update' &&
      command.returns.endsWith('OLD') &&
      !isRefused(ours) &&
      !isRefused(theirs),
  },
];
