import * as z from 'zod';
import { takesNeutral } from '../../../shared/http/unknown-fields.ts';
import { pathId } from '../../../shared/http/validate.ts';
import { FileRef, MAX_FILES } from './create-document.ts';
import { ACTION_ID, PARTICIPANT, TICKET, UPLOAD_ID, UPPER_LEFT_MARK } from './examples.ts';
import { line, orNull } from './fields.ts';
import { ACTION_TYPES, INITIALS_MODES, MAX_ACTIONS, MAX_MARKS } from './flows/flow-actions.ts';
import { MARK_TYPES, MarkModel, MarkRequest, UpperLeftMarkModel } from './marks.ts';

const SESSION_ID = '4b1f7c52-9d3e-4a68-8c05-e7a2b6d91f34';

// The page shows a name. Whether the person can act is asked when the documents are created.
const MarkedUser = z.object({
  id: orNull(line()),
  name: orNull(line()),
  identifier: orNull(line(20)),
  email: orNull(line(254)),
  emailAddress: orNull(line(254)),
  phone: orNull(line(40)),
});

const MarkedAction = z.object({
  id: orNull(line()).describe('Of the caller, to know the action again.'),
  type: z.enum(ACTION_TYPES),
  step: z.int().min(0).max(1_000).nullish(),
  user: MarkedUser.nullish(),
  title: orNull(line()),
  ruleName: orNull(line()),
  numberRequiredSignatures: z.int().min(0).nullish(),
  signRuleUsers: z.array(MarkedUser).max(50).nullish(),
  prePositionedMarks: z.array(MarkRequest).max(MAX_MARKS).nullish(),
  signatureInitialsMode: orNull(z.enum(INITIALS_MODES)),
});

const FILE = { id: UPLOAD_ID, displayName: 'contract', name: 'contract.pdf', contentType: 'application/pdf' };

export const MarksSessionRequest = takesNeutral(
  z
    .object({
      files: z.array(FileRef).min(1).max(MAX_FILES),
      isEnvelope: z.boolean().nullish(),
      flowActions: z.array(MarkedAction).min(1).max(MAX_ACTIONS),
    })
    .meta({
      description: 'The files, and the actions whose marks are placed on them.',
      examples: [{ files: [FILE], flowActions: [{ id: ACTION_ID, type: 'Signer', user: PARTICIPANT }] }],
    }),
  { signatureType: ['None'] },
);
export type MarksSessionRequest = z.output<typeof MarksSessionRequest>;

export const CreatedMarksSession = z
  .object({
    id: z.uuid(),
    embedUrl: z.string().describe('The page at which the marks are placed, to be shown in a frame.'),
  })
  .meta({
    description: 'The session, and its page. Both are there for an hour.',
    examples: [
      {
        id: SESSION_ID,
        embedUrl: `http://localhost:3000/documents/api/marks-sessions/${SESSION_ID}/embed?ticket=${TICKET}`,
      },
    ],
  });

const PlacedActionModel = z.looseObject({
  prePositionedMarks: z.array(
    z.union([UpperLeftMarkModel, MarkModel.extend({ uploadId: z.string().optional() })]),
  ),
});

export const MarksSessionModel = z
  .object({
    id: z.uuid(),
    files: z.array(
      z.object({
        id: z.string(),
        location: z.string().describe('A path below the base URL of this service, as of an upload.'),
      }),
    ),
    isPlaced: z.boolean().describe('Whether the page was saved.'),
    data: z
      .looseObject({ flowActions: z.array(PlacedActionModel) })
      .describe('The request with the marks that were placed. It can be sent on as it is.'),
  })
  .meta({
    description: 'A session, and its request with the marks as they were placed last.',
    examples: [
      {
        id: SESSION_ID,
        files: [{ id: UPLOAD_ID, location: `/api/uploads/${UPLOAD_ID}/content` }],
        isPlaced: true,
        data: {
          files: [FILE],
          flowActions: [
            {
              id: ACTION_ID,
              type: 'Signer',
              user: PARTICIPANT,
              prePositionedMarks: [{ ...UPPER_LEFT_MARK, uploadId: UPLOAD_ID }],
            },
          ],
        },
      },
    ],
  });

export const MarksSessionParams = z.object({
  id: pathId().meta({ description: 'The id of the marks session.', examples: [SESSION_ID] }),
});

const points = z.number().min(0).max(20_000);

/** A mark as the page sends it: what it placed, or what it was given and nobody looked at. */
const SentMark = z.object({
  action: z.int().min(0).max(MAX_ACTIONS),
  type: z.enum(MARK_TYPES),
  uploadId: z.uuid(),
  pageNumber: z.int().min(1).max(100_000),
  topLeftX: points,
  topLeftY: points,
  width: points.min(10),
  height: points.min(10),
  isFromBottom: z.boolean().optional(),
});

/** The marks of one page that places them. */
export const SentMarks = z.array(SentMark).max(MAX_ACTIONS * MAX_MARKS);
export type SentMarks = z.output<typeof SentMarks>;

export const PlaceMarks = z
  .object({ ticket: z.string().min(1).max(200), marks: SentMarks })
  .meta({ description: 'The marks of all actions.', examples: [{ ticket: TICKET, marks: [] }] });
