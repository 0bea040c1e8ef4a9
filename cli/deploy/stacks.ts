import {
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  paginateDescribeChangeSet,
  paginateDescribeStackEvents,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import type { Context } from './context.ts';

export type StackState = {
  readonly id: string;
  readonly status: string;
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
};

// A stack with a change set that was never executed has this state, and nothing in it.
const EMPTY = 'REVIEW_IN_PROGRESS';

export const isBusy = ({ status }: StackState): boolean =>
  status.endsWith('_IN_PROGRESS') && status !== EMPTY;

/** The state of a stack by its name or id; undefined where there is none. */
export async function describeStack(
  { cloudFormation }: Context,
  StackName: string,
): Promise<StackState | undefined> {
  try {
    const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    if (!stack || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
    return {
      id: stack.StackId ?? StackName,
      status: stack.StackStatus ?? '',
      isProtected: stack.EnableTerminationProtection ?? false,
      outputs: Object.fromEntries(
        (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      ),
    };
  } catch (error) {
    if (/does not exist/.test(reasonOf(error))) return undefined;
    throw error;
  }
}

type Template = Pick<CreateChangeSetCommandInput, 'TemplateBody' | 'TemplateURL' | 'Parameters' | 'Tags'>;

const NO_CHANGE = /didn't contain changes|No updates are to be performed/;

/**
 * Creates a stack or changes it to a template, and waits until it is done. Tables, buckets and logs that an earlier stack
 * left are taken in. Answers what was done to how many resources, or nothing where all was as it should be.
 */
export async function applyTemplate(
  context: Context,
  name: string,
  template: Template,
): Promise<string | undefined> {
  const { cloudFormation, pause } = context;
  let state = await describeStack(context, name);
  // A first creation that failed left nothing behind, and can only be deleted.
  if (state?.status === 'ROLLBACK_COMPLETE') {
    await deleteStack(context, name, state);
    state = undefined;
  }
  const isNew = state === undefined || state.status === EMPTY;
  const { Id: ChangeSetName } = await cloudFormation.send(
    new CreateChangeSetCommand({
      StackName: name,
      ChangeSetName: `sinete-${Date.now()}`,
      ChangeSetType: isNew ? 'CREATE' : 'UPDATE',
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
      ImportExistingResources: true,
      ...template,
    }),
  );
  const asked = { StackName: name, ChangeSetName };
  let found = await cloudFormation.send(new DescribeChangeSetCommand(asked));
  while (found.Status === 'CREATE_PENDING' || found.Status === 'CREATE_IN_PROGRESS') {
    await pause();
    found = await cloudFormation.send(new DescribeChangeSetCommand(asked));
  }
  if (found.Status !== 'CREATE_COMPLETE') {
    await cloudFormation.send(new DeleteChangeSetCommand(asked));
    if (NO_CHANGE.test(found.StatusReason ?? '')) return undefined;
    throw new CommandRefusal(`CloudFormation does not take the template of ${name}: ${found.StatusReason}`);
  }
  const actions = await actionsOf(context, asked);
  const startedMs = Date.now();
  // Without it, a first deploy that failed would leave tables that the next one meets.
  await cloudFormation.send(new ExecuteChangeSetCommand({ ...asked, RetainExceptOnCreate: true }));
  await settle(context, name, startedMs);
  return summary(actions);
}

type ChangeSetId = { readonly StackName: string; readonly ChangeSetName: string | undefined };

/** What a change set does to each resource. */
async function actionsOf({ cloudFormation: client }: Context, asked: ChangeSetId): Promise<string[]> {
  const actions: string[] = [];
  for await (const { Changes = [] } of paginateDescribeChangeSet({ client }, asked))
    for (const { ResourceChange } of Changes) actions.push(ResourceChange?.Action ?? '');
  return actions;
}

const WORDS: Readonly<Record<string, string>> = {
  Add: 'added',
  Modify: 'changed',
  Remove: 'removed',
  Import: 'taken in again',
};

/** @example summary(['Add', 'Add', 'Modify']) // '2 added, 1 changed' */
const summary = (actions: readonly string[]): string =>
  Object.entries(WORDS)
    .map(([action, word]) => [actions.filter((each) => each === action).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');

const DONE = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'];

/** Waits until a stack is done. One that was taken back is told with the reasons of CloudFormation. */
async function settle(context: Context, name: string, sinceMs: number): Promise<void> {
  let state: StackState | undefined;
  // It begins a moment after it was told to: a look at once may see the state of before.
  do {
    await context.pause();
    state = await describeStack(context, name);
  } while (state && (isBusy(state) || state.status === EMPTY));
  if (state && DONE.includes(state.status)) return;
  const reasons = await failures(context, name, sinceMs);
  throw new CommandRefusal(
    [
      `Stack ${name} was not deployed (${state?.status ?? 'gone'}), and is as it was before:`,
      ...reasons,
    ].join('\n  '),
  );
}

const MAX_REASONS = 5;

/** The first failures: the later ones are mostly what was canceled because of them. */
async function failures({ cloudFormation }: Context, StackName: string, sinceMs: number): Promise<string[]> {
  const reasons: string[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents(
    { client: cloudFormation },
    { StackName },
  )) {
    for (const { Timestamp, ResourceStatus, ResourceStatusReason, LogicalResourceId } of StackEvents) {
      // Newest first. A clock of another machine may be a little behind.
      if (Timestamp && Timestamp.getTime() < sinceMs - 60_000) return reasons.slice(-MAX_REASONS).reverse();
      if (ResourceStatus?.endsWith('_FAILED') && !/cancell?ed/i.test(ResourceStatusReason ?? ''))
        reasons.push(`${LogicalResourceId}: ${ResourceStatusReason}`);
    }
  }
  return reasons.slice(-MAX_REASONS).reverse();
}

export const protect = async (
  { cloudFormation }: Context,
  StackName: string,
  EnableTerminationProtection: boolean,
): Promise<unknown> =>
  cloudFormation.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }));

/** Deletes a stack, and waits until it is gone. */
export async function deleteStack(context: Context, name: string, { id }: StackState): Promise<void> {
  const startedMs = Date.now();
  await context.cloudFormation.send(new DeleteStackCommand({ StackName: name }));
  // By its id: the name is free as soon as it is gone.
  let state = await describeStack(context, id);
  while (state && isBusy(state)) {
    await context.pause();
    state = await describeStack(context, id);
  }
  if (!state) return;
  const reasons = await failures(context, id, startedMs);
  throw new CommandRefusal([`Stack ${name} was not deleted (${state.status}):`, ...reasons].join('\n  '));
}
