import { Refusal } from './xml.ts';

type Resource = { Type: string; DeletionPolicy?: string; Properties?: Record<string, unknown> };
export type FakeTemplate = { Resources: Record<string, Resource> };
type Status = { status: string; next: string | undefined };
type Stack = Status & {
  readonly id: string;
  readonly name: string;
  template: FakeTemplate;
  isProtected: boolean;
  parameters: Record<string, string>;
  events: {
    LogicalResourceId: string;
    ResourceStatus: string;
    ResourceStatusReason: string;
    Timestamp: string;
  }[];
};
type ChangeSet = { stack: string; template: FakeTemplate; parameters: Record<string, string>; reads: number };
type Form = Record<string, string>;

const EMPTY = 'REVIEW_IN_PROGRESS';
const INLINE_BYTES = 51_200;
const TEMPLATE_BYTES = 1_000_000;
const NAMES = ['TableName', 'BucketName', 'LogGroupName', 'BackupVaultName'];

/** The name that a template gives a resource, by which a second one cannot be made. */
const nameOf = ({ Properties = {} }: Resource): string | undefined => {
  const name = NAMES.map((each) => Properties[each]).find((each) => each !== undefined);
  return name === undefined ? undefined : JSON.stringify(name);
};

/** CloudFormation: stacks, change sets, and what deleted stacks have left. */
export class FakeStacks {
  readonly stacks = new Map<string, Stack>();
  readonly buckets = new Map<string, Map<string, Buffer>>();
  /** Names of resources that deleted stacks have left. */
  readonly left = new Set<string>();
  /** The address that every stack says that its API has. */
  endpoint = '';
  /** Why the next change of a stack with this name fails. */
  failing: { name: string; reason: string } | undefined;
  readonly #changeSets = new Map<string, ChangeSet>();
  #ids = 0;

  run(action: string, form: Form): object {
    const command = (this as unknown as Record<string, ((form: Form) => object) | undefined>)[action];
    if (!command) throw new Refusal('InvalidAction', `${action} is not known here`);
    return command.call(this, form);
  }

  #find({ StackName = '' }: Form): Stack {
    const stack = this.stacks.get(StackName) ?? [...this.stacks.values()].find(({ id }) => id === StackName);
    if (!stack) throw new Refusal('ValidationError', `Stack with id ${StackName} does not exist`);
    return stack;
  }

  DescribeStacks(form: Form): object {
    const stack = this.#find(form);
    const { id, name, status, isProtected } = stack;
    // The first look sees it at work.
    if (stack.next) [stack.status, stack.next] = [stack.next, undefined];
    const Outputs = [{ OutputKey: 'ServiceEndpoint', OutputValue: this.endpoint }];
    return {
      Stacks: [
        {
          StackId: id,
          StackName: name,
          StackStatus: status,
          EnableTerminationProtection: isProtected,
          Outputs,
        },
      ],
    };
  }

  DescribeStackResource(form: Form): object {
    const { name, template, status } = this.#find(form);
    const id = form.LogicalResourceId ?? '';
    if (!template.Resources[id])
      throw new Refusal('ValidationError', `Resource ${id} does not exist for stack ${name}`);
    const ResourceStatus = status === 'ROLLBACK_COMPLETE' ? 'DELETE_COMPLETE' : 'CREATE_COMPLETE';
    return {
      StackResourceDetail: { LogicalResourceId: id, PhysicalResourceId: `${name}-code`, ResourceStatus },
    };
  }

  CreateChangeSet(form: Form): object {
    const { StackName = '', ChangeSetType } = form;
    const before = this.stacks.get(StackName);
    const isNew = before === undefined || before.status === EMPTY;
    if ((ChangeSetType === 'CREATE') !== isNew)
      throw new Refusal('ValidationError', `${ChangeSetType} does not fit ${StackName}`);
    if (form.ImportExistingResources !== 'true' && this.left.size > 0)
      throw new Refusal('AlreadyExistsException', 'Resources of this name exist');
    const template = this.#templateOf(form);
    this.#requireCode(StackName, template);
    const parameters = form['Parameters.member.1.ParameterKey']
      ? { [form['Parameters.member.1.ParameterKey']]: form['Parameters.member.1.ParameterValue'] ?? '' }
      : {};
    if (!before) this.stacks.set(StackName, this.#emptyStack(StackName));
    const Id = `change-set-${++this.#ids}`;
    this.#changeSets.set(Id, { stack: StackName, template, parameters, reads: 0 });
    return { Id };
  }

  /** A stack is there from its first change set on. */
  #emptyStack = (name: string): Stack => ({
    ...{ id: `arn:aws:cloudformation:stack/${name}/${++this.#ids}`, name, template: { Resources: {} } },
    ...{ parameters: {}, isProtected: false, events: [], status: EMPTY, next: undefined },
  });

  #templateOf({ TemplateBody, TemplateURL }: Form): FakeTemplate {
    const [, bucket = '', key = ''] = /^https:\/\/([^.]+)\.s3\.[^/]+\/(.+)$/.exec(TemplateURL ?? '') ?? [];
    const text = TemplateBody ?? this.buckets.get(bucket)?.get(key)?.toString();
    if (text === undefined) throw new Refusal('ValidationError', `There is no template at ${TemplateURL}`);
    if (text.length > (TemplateBody ? INLINE_BYTES : TEMPLATE_BYTES))
      throw new Refusal('ValidationError', 'The template is too large');
    return JSON.parse(text);
  }

  #requireCode(stack: string, { Resources }: FakeTemplate): void {
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      const { S3Key = '' } = (Properties?.Code ?? {}) as { S3Key?: string };
      if (Type === 'AWS::Lambda::Function' && !this.buckets.get(`${stack}-code`)?.has(S3Key))
        throw new Refusal('ValidationError', `${id}: there is no code at ${S3Key}`);
    }
  }

  DescribeChangeSet({ ChangeSetName = '' }: Form): object {
    const set = this.#changeSets.get(ChangeSetName);
    if (!set) throw new Refusal('ChangeSetNotFound', ChangeSetName, 404);
    if (set.reads++ === 0) return { Status: 'CREATE_IN_PROGRESS' };
    const before = this.stacks.get(set.stack);
    const Changes = this.#changesOf(before?.template.Resources ?? {}, set.template.Resources);
    const isSame = JSON.stringify(before?.parameters ?? {}) === JSON.stringify(set.parameters);
    if (before?.status !== EMPTY && Changes.length === 0 && isSame)
      return { Status: 'FAILED', StatusReason: "The submitted information didn't contain changes." };
    return { Status: 'CREATE_COMPLETE', Changes };
  }

  #changesOf(before: FakeTemplate['Resources'], after: FakeTemplate['Resources']): object[] {
    const change = (Action: string, LogicalResourceId: string) => ({
      Type: 'Resource',
      ResourceChange: { Action, LogicalResourceId },
    });
    const added = Object.entries(after).flatMap(([id, resource]) => {
      const old = before[id];
      if (old) return JSON.stringify(old) === JSON.stringify(resource) ? [] : [change('Modify', id)];
      return [change(this.left.has(nameOf(resource) ?? '') ? 'Import' : 'Add', id)];
    });
    const removed = Object.keys(before).filter((id) => !(id in after));
    return [...added, ...removed.map((id) => change('Remove', id))];
  }

  DeleteChangeSet({ ChangeSetName = '' }: Form): object {
    this.#changeSets.delete(ChangeSetName);
    return {};
  }

  ExecuteChangeSet({ ChangeSetName = '' }: Form): object {
    const set = this.#changeSets.get(ChangeSetName);
    if (!set) throw new Refusal('ChangeSetNotFound', ChangeSetName, 404);
    const { stack: name, template, parameters } = set;
    const stack = this.#find({ StackName: name });
    const isNew = stack.status === EMPTY;
    const kind = isNew ? 'CREATE' : 'UPDATE';
    stack.status = `${kind}_IN_PROGRESS`;
    if (this.failing?.name === name) {
      stack.next = isNew ? 'ROLLBACK_COMPLETE' : 'UPDATE_ROLLBACK_COMPLETE';
      if (isNew) stack.template = template;
      const failed = { ResourceStatus: 'CREATE_FAILED', Timestamp: new Date().toISOString() };
      stack.events.unshift(
        { ...failed, LogicalResourceId: 'Other', ResourceStatusReason: 'Resource creation cancelled' },
        { ...failed, LogicalResourceId: 'Broken', ResourceStatusReason: this.failing.reason },
      );
      this.failing = undefined;
      return {};
    }
    Object.assign(stack, { template, parameters, next: `${kind}_COMPLETE` });
    for (const resource of Object.values(template.Resources)) this.left.delete(nameOf(resource) ?? '');
    if (template.Resources.ServerlessDeploymentBucket && !this.buckets.has(`${name}-code`))
      this.buckets.set(`${name}-code`, new Map());
    return {};
  }

  DescribeStackEvents(form: Form): object {
    return { StackEvents: this.#find(form).events };
  }

  UpdateTerminationProtection(form: Form): object {
    const stack = this.#find(form);
    stack.isProtected = form.EnableTerminationProtection === 'true';
    return { StackId: stack.id };
  }

  GetTemplate(form: Form): object {
    return { TemplateBody: JSON.stringify(this.#find(form).template) };
  }

  ListStackResources(form: Form): object {
    return {
      StackResourceSummaries: Object.entries(this.#find(form).template.Resources).map(([id, resource]) => ({
        LogicalResourceId: id,
        ResourceType: resource.Type,
        PhysicalResourceId: nameOf(resource) ?? id,
      })),
    };
  }

  DeleteStack(form: Form): object {
    const stack = this.#find(form);
    if (stack.isProtected) throw new Refusal('ValidationError', `${stack.name} is protected`);
    if ((this.buckets.get(`${stack.name}-code`)?.size ?? 0) > 0) {
      Object.assign(stack, { status: 'DELETE_IN_PROGRESS', next: 'DELETE_FAILED' });
      return {};
    }
    for (const resource of Object.values(stack.template.Resources)) {
      const name = nameOf(resource);
      if (resource.DeletionPolicy === 'Retain' && name) this.left.add(name);
    }
    this.stacks.delete(stack.name);
    this.buckets.delete(`${stack.name}-code`);
    return {};
  }
}
