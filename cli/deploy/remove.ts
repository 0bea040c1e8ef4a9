import { GetTemplateCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { engineOf } from '../../infra/stack/engine-of.ts';
import { watchStackName } from '../../infra/watch/template.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { codeBucketOf, emptyCodeBucket } from './artifacts.ts';
import { type Context, stackName } from './context.ts';
import { deployWatch } from './deploy-stacks.ts';
import { inOrder } from './options.ts';
import type { PackagedTemplate } from './packages.ts';
import { deleteStack, describeStack, protect, type StackState } from './stacks.ts';

type Stack = { readonly name: string; readonly state: StackState; readonly kept: readonly string[] };

/** Deletes the stacks of services, and says what data they left. */
export async function remove(
  context: Context,
  services: readonly string[],
  isDryRun: boolean,
): Promise<void> {
  const { output, parameters, stage } = context;
  const find = async (name: string): Promise<Stack[]> => {
    const state = await describeStack(context, name);
    return state ? [{ name, state, kept: await keptOf(context, name) }] : [];
  };
  const stacks: Stack[] = [];
  for (const service of inOrder(services).reverse())
    stacks.push(...(await find(stackName(context, service))));
  if (stacks.length === 0)
    return output.print(`Stage ${stage} has none of these stacks: there is nothing to remove.`);
  const staying = await stayingBeside(context, services);
  if (staying.length === 0) stacks.push(...(await find(watchStackName(stage))));
  const isProtected = stacks.filter(({ state }) => state.isProtected);
  if (isProtected.length > 0 && parameters.deletionProtection !== 'false')
    throw new CommandRefusal(
      `${isProtected.map(({ name }) => name).join(', ')}: protected from removal. Give --param deletionProtection=false to remove them all the same.`,
    );
  for (const { name } of stacks) output.print(`${isDryRun ? 'Would remove' : 'Removes'} ${name}`);
  // First, so that no alarm is about what is being removed.
  if (!isDryRun && staying.length > 0) await deployWatch(context, staying);
  if (!isDryRun) for (const stack of stacks) await removeOne(context, stack);
  const kept = stacks.flatMap((stack) => stack.kept);
  output.print([isDryRun ? 'Would keep:' : 'Kept:', ...kept].join('\n  '));
  output.print(
    'A later deploy of the same stage takes them in again. To delete data, delete these yourself.',
  );
}

/** The services of the stage that stay. One whose stores would go stops the removal. */
async function stayingBeside(context: Context, removed: readonly string[]): Promise<string[]> {
  const staying: string[] = [];
  for (const service of SERVICES.filter((each) => !removed.includes(each)))
    if (await describeStack(context, stackName(context, service))) staying.push(service);
  for (const service of staying) {
    const engine = engineOf(service);
    if (engine && removed.includes(engine))
      throw new CommandRefusal(`${service} works on the stores of ${engine}: remove it too.`);
  }
  return staying;
}

async function removeOne(context: Context, { name, state }: Stack): Promise<void> {
  if (state.isProtected) await protect(context, name, false);
  const bucket = await codeBucketOf(context, name);
  if (bucket !== undefined) await emptyCodeBucket(context, bucket);
  await deleteStack(context, name, state);
  context.output.print(`Removed ${name}`);
}

/** The tables, buckets, logs and vaults that stay, by the template that was deployed. */
async function keptOf({ cloudFormation }: Context, StackName: string): Promise<string[]> {
  const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName }));
  const { Resources = {} } = JSON.parse(TemplateBody) as Partial<PackagedTemplate>;
  const kept: string[] = [];
  const pages = paginateListStackResources({ client: cloudFormation }, { StackName });
  for await (const { StackResourceSummaries = [] } of pages)
    for (const { LogicalResourceId = '', ResourceType, PhysicalResourceId } of StackResourceSummaries)
      if (Resources[LogicalResourceId]?.DeletionPolicy === 'Retain')
        kept.push(`${ResourceType} ${PhysicalResourceId}`);
  return kept;
}
