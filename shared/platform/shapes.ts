import * as z from 'zod';
import { parseCpf } from '../taxpayer/cpf.ts';
import { Name, Text } from './text.ts';

/** A label of a document, with the value that finds it again. */
export type Tag = { readonly label: string; readonly value: string };

const Person = z.object({
  identifier: z.string().nullish(),
  email: z.string().nullish(),
  emailAddress: z.string().nullish(),
});

const cpfsOf = (people: readonly z.output<typeof Person>[]): readonly string[] =>
  people.flatMap(({ identifier }) => parseCpf(identifier ?? '') ?? []);

const Action = z
  .object({
    id: z.string(),
    type: z.string(),
    step: z.number().nullish(),
    status: Text,
    user: Person.nullish(),
    signRuleUsers: z.array(Person).nullish(),
    completedBy: z.array(Person).nullish(),
    pendingDate: z.string().nullish(),
  })
  .transform(({ id, type, step, status, user, signRuleUsers, completedBy, pendingDate }) => {
    const people = [...(user ? [user] : []), ...(signRuleUsers ?? [])];
    return {
      id,
      /** Signer, Approver, SignRule, ApproverRule. */
      type,
      step: step ?? 1,
      /** Created (an earlier step is not finished), Pending, Completed, Refused. */
      status,
      /** Of the user, or of the users of a rule. */
      cpfs: cpfsOf(people),
      emails: people.flatMap(({ email, emailAddress }) => emailAddress ?? email ?? []),
      /** Who has acted: one of a rule may have signed while it waits for others. Empty where a platform does not say. */
      completedCpfs: cpfsOf(completedBy ?? []),
      /** Since when it waits for somebody. Undefined where a platform does not say. */
      pendingSinceMs: Date.parse(pendingDate ?? '') || undefined,
    };
  });

export type PlatformAction = Readonly<z.output<typeof Action>>;

const ListedFields = z.object({
  id: z.string().min(1),
  name: Name.nullish(),
  filename: Name.nullish(),
  status: Text,
  folder: z.object({ id: z.string() }).nullish(),
  tags: z.array(z.object({ label: z.string().nullish(), value: z.string().nullish() })).nullish(),
  creationDate: z.string().nullish(),
});

const listedOf = ({ id, name, filename, status, folder, tags }: z.output<typeof ListedFields>) => ({
  id,
  name: name ?? id,
  /** With its extension, as far as the platform tells. */
  fileName: filename ?? name ?? id,
  /** Pending, FlowConcluded, Concluded, Refused, Canceled, Expired. */
  status,
  folderId: folder?.id ?? null,
  tags: tags ?? [],
});

export const DocumentShape = ListedFields.extend({
  statusUpdateReason: Text.nullish(),
  flowActions: z.array(Action),
}).transform(({ statusUpdateReason, flowActions, ...listed }) => ({
  ...listedOf(listed),
  statusUpdateReason: statusUpdateReason ?? null,
  flowActions: flowActions as readonly PlatformAction[],
}));

export type PlatformDocument = Readonly<z.output<typeof DocumentShape>>;

export const PendingShape = ListedFields.extend({ flowActions: z.array(Action).nullish() }).transform(
  ({ flowActions, ...listed }) => ({
    ...listedOf(listed),
    /** Undefined where the platform's list does not show the flow: read the document. */
    flowActions: (flowActions ?? undefined) as readonly PlatformAction[] | undefined,
  }),
);

/** A document as a list shows it. */
export type PendingDocument = Readonly<z.output<typeof PendingShape>>;
