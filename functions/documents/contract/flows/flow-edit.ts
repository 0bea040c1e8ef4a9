import * as z from 'zod';
import { ACTION_ID, FLOW_EDIT, PARTICIPANT, SIGNER_REQUEST } from '../examples.ts';
import { AuthorModel, line, orNull, PersonModel } from '../fields.ts';
import { MarkRequest } from '../marks.ts';
import {
  ACTION_TYPES,
  FlowActionRequest,
  INITIALS_MODES,
  MAX_ACTIONS,
  MAX_MARKS,
  MAX_PEOPLE_A_RULE,
} from './flow-actions.ts';
import { MAX_OBSERVERS, ObserverRequest } from './observers.ts';

const Address = z.email().max(254);

const EditedAction = z.object({
  flowActionId: line(),
  step: z
    .int()
    .min(0)
    .max(1_000)
    .nullish()
    .describe('Not before the pending one. Left out, or 0: it stays where it is.'),
  participantEmailAddress: orNull(Address).describe(
    'Another address of its person. Links that went to the earlier one open nothing from then on.',
  ),
  ruleName: orNull(line()),
  signRuleUsers: z
    .array(z.object({ userId: line(), emailAddress: Address }))
    .max(MAX_PEOPLE_A_RULE)
    .nullish()
    .describe('Other addresses of people of the rule, by their ids.'),
  title: orNull(line()),
  prePositionedMarks: z
    .array(MarkRequest)
    .max(MAX_MARKS)
    .nullish()
    .describe('In place of those that the action has. None: they stay.'),
  signatureInitialsMode: orNull(z.enum(INITIALS_MODES)),
});

const ids = (max: number) => z.array(line()).max(max).nullish();

export const FlowEditRequest = z
  .object({
    addedFlowActions: z
      .array(FlowActionRequest)
      .max(MAX_ACTIONS)
      .nullish()
      .describe('At the pending step or a later one. Without a step, or with 0: at the pending one.'),
    editedFlowActions: z
      .array(EditedAction)
      .max(MAX_ACTIONS)
      .nullish()
      .describe('Actions in which nobody has acted. A field that is left out stays as it is.'),
    deletedFlowActionIds: ids(MAX_ACTIONS).describe('Actions in which nobody has acted.'),
    addedObservers: z.array(ObserverRequest).max(MAX_OBSERVERS).nullish(),
    editedObservers: z
      .array(z.object({ observerId: line(), emailAddress: Address }))
      .max(MAX_OBSERVERS)
      .nullish(),
    deletedObserverIds: ids(MAX_OBSERVERS),
  })
  .superRefine((edit, context) => {
    const refuseTwice = (path: string, named: readonly string[]): void => {
      if (new Set(named).size < named.length)
        context.addIssue({ code: 'custom', path: [path], message: 'names one twice' });
    };
    const actions = (edit.editedFlowActions ?? []).map(({ flowActionId }) => flowActionId);
    const observers = (edit.editedObservers ?? []).map(({ observerId }) => observerId);
    refuseTwice('deletedFlowActionIds', [...actions, ...(edit.deletedFlowActionIds ?? [])]);
    refuseTwice('deletedObserverIds', [...observers, ...(edit.deletedObserverIds ?? [])]);
  })
  .meta({
    description: 'What changes in a running flow: all of it, or nothing where a part is refused.',
    examples: [
      {
        addedFlowActions: [{ ...SIGNER_REQUEST, step: 2 }],
        editedFlowActions: [{ flowActionId: ACTION_ID, participantEmailAddress: 'ana@sandbox.example' }],
        addedObservers: [{ user: PARTICIPANT }],
      },
    ],
  });
export type FlowEditRequest = z.output<typeof FlowEditRequest>;

export const FlowEdited = z
  .object({
    rectifiedParticipants: z
      .array(z.object({ userId: z.string(), requested: PersonModel, rectified: PersonModel }))
      .describe('Always empty: there is no directory of users by which a request would be rectified.'),
  })
  .meta({ description: 'The answer to an edit.', examples: [{ rectifiedParticipants: [] }] });

const EditedPart = z.object({
  id: z.string().describe('Of the action or the observer.'),
  type: z.enum([...ACTION_TYPES, 'Observer']),
  names: z.array(z.string()).describe('Of its people.'),
  fields: z.array(z.string()).optional().describe('What changed.'),
  addresses: z
    .array(z.object({ from: z.string().nullable(), to: z.string() }))
    .optional()
    .describe('Addresses that changed.'),
});

export const FlowEditModel = z
  .object({
    date: z.iso.datetime(),
    by: AuthorModel,
    added: z.array(EditedPart),
    changed: z.array(EditedPart),
    removed: z.array(EditedPart),
  })
  .meta({ description: 'The record of an edit of a running flow.', examples: [FLOW_EDIT] });
