import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { limitPeople } from './create-document.ts';
import { FLOW_ACTION, FLOW_ID, PARTICIPANT, SIGNER_REQUEST, STORED_FLOW } from './examples.ts';
import { AuthorModel, line } from './fields.ts';
import { Flow, FlowActionModel } from './flows/flow-actions.ts';
import { MAX_OBSERVERS, ObserverModel, ObserverRequest } from './flows/observers.ts';
import { caseInsensitive, Paging, pageOf } from './lists.ts';

export const StoredFlowParams = z.object({
  id: pathId().meta({ description: 'The id of the stored flow.', examples: [FLOW_ID] }),
});

export const StoredFlowRequest = z
  .object({
    name: line(),
    areActionsOrdered: z
      .boolean()
      .nullish()
      .describe('`true`: actions without steps follow one another, as they are listed.'),
    flowActions: Flow,
    observers: z.array(ObserverRequest).max(MAX_OBSERVERS).nullish(),
  })
  .superRefine(limitPeople)
  .meta({
    description: 'A flow to keep for later documents.',
    examples: [
      {
        name: 'Purchases',
        areActionsOrdered: true,
        flowActions: [SIGNER_REQUEST],
        observers: [{ user: PARTICIPANT }],
      },
    ],
  });
export type StoredFlowRequest = z.output<typeof StoredFlowRequest>;

export const StoredFlowModel = z
  .object({
    id: z.string(),
    name: z.string(),
    creationDate: z.iso.datetime(),
    updateDate: z.iso.datetime(),
    createdBy: AuthorModel,
  })
  .meta({ description: 'A stored flow, as lists show it.', examples: [STORED_FLOW] });

export const StoredFlowDetails = StoredFlowModel.extend({
  areActionsOrdered: z.boolean(),
  flowActions: z.array(FlowActionModel).describe('As those of a document that nobody has begun.'),
  observers: z.array(ObserverModel),
}).meta({
  description: 'A stored flow with its actions and observers.',
  examples: [
    {
      ...STORED_FLOW,
      areActionsOrdered: true,
      flowActions: [{ ...FLOW_ACTION, status: 'Created', pendingDate: null }],
      observers: [],
    },
  ],
});

export const StoredFlowsQuery = caseInsensitive(
  Paging.extend({
    organizationId: z.string().max(64).optional().describe('Left out, the first that the key is scoped to.'),
  }),
);

export const StoredFlows = pageOf(StoredFlowModel).meta({
  description: 'One page of stored flows.',
  examples: [{ items: [STORED_FLOW], totalCount: 1, nextCursor: null }],
});
