import * as z from 'zod';
import { hasInvisibleCharacters } from '../../../shared/files/safe-name.ts';
import { paging, rangeInOrder, timeRange } from '../../../shared/http/request/list-query.ts';
import { pathId } from '../../../shared/http/validate.ts';
import { parseCpf } from '../../../shared/taxpayer/cpf.ts';

// What the operations of all items share. A kind adds the fields of its data.

export const ITEM_ID = '5b0d2f1c-8f5e-4a3b-9c61-2f4d7e8a9b10';
export const INSTITUTE_ID = '66666666-6666-4666-8666-666666666666';
export const REGISTRAR_INSTITUTE_ID = '77777777-7777-4777-8777-777777777777';
export const SUBSCRIPTION_ID = '33333333-3333-4333-8333-333333333333';

const MAX_TEXT = 500;
const MAX_VERSION = 20;
const MAX_REASON = 2_000;

// A text of several lines may have tabs and line breaks.
const CONTROL_IN_NOTE = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/u;

// XML cannot hold every character: the signed file would say another name than the item.
export const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine(
      (value) => !hasInvisibleCharacters(value),
      'has a line break, a control character or another character in it that is not seen',
    );

export const Id = z.string().min(1).max(64);
/** A name or a title: one line of text. */
export const Line = line(MAX_TEXT);
export const Cpf = z
  .string()
  .regex(/^\d{11}$/, 'must be a CPF of 11 digits')
  .refine((text) => parseCpf(text) !== undefined, 'must be a CPF with right check digits')
  .describe('11 digits, without punctuation.');
export const Version = line(MAX_VERSION).default('1.05').describe('The version of the XML layout.');
const Time = z.iso.datetime();

const itemId = () => pathId().meta({ description: 'The item.', examples: [ITEM_ID] });

export const ItemParams = z.object({ id: itemId() });
export const InstituteParams = z.object({
  id: pathId().meta({ description: 'The institute.', examples: [INSTITUTE_ID] }),
});
export const InstituteItemParams = InstituteParams.extend({ itemId: itemId() });
export const FileParams = {
  name: Id.meta({ description: 'The name of the file, without `.xml`.', examples: ['diploma'] }),
};

export const FileQuery = z.object({
  type: z
    .enum(['Signed', 'Original'])
    .optional()
    .describe('Without it the signed file where there is one, or else the original.'),
});

/** The query of the list of a kind with these states. @example query: listQuery(['Created', 'Concluded']) */
export const listQuery = <const States extends readonly [string, ...string[]]>(states: States) =>
  z
    .object({
      ...paging,
      ...timeRange,
      status: z.enum(states).optional().describe('Only items of this status.'),
      problem: z
        .stringbool()
        .optional()
        .describe(
          '`true`: only items that need somebody, with `problems`. `false` is as if it were left out.',
        ),
      course: Line.optional().describe('Only items of this course, by its whole name.'),
      text: Line.optional().describe('Only items whose names, numbers or codes contain this text.'),
      subscriptionId: Id.optional().describe("The organization. Without it the key's first one."),
    })
    .refine(...rangeInOrder);

/** One XML file of a request. */
export const XmlUpload = z
  .object({
    name: z.string().min(1).max(64).describe('Which file of the item it is.'),
    content: z.base64().describe('The XML, base64.'),
  })
  .meta({
    description: 'An XML file that the client wrote.',
    examples: [{ name: 'diploma', content: 'PERpcGxvbWEvPg==' }],
  });

export const XmlUploads = z
  .array(XmlUpload)
  .optional()
  .describe('The XML files of the item, all or none. Without them they are written of the fields.');

/** A text of a few sentences. */
export const Note = z
  .string()
  .trim()
  .min(1)
  .max(MAX_REASON)
  .refine((value) => !CONTROL_IN_NOTE.test(value), 'has a control character in it');
export const Reason = Note.describe('Why.');

const Signer = z.object({
  name: z.string(),
  cpf: z.string(),
  step: z.int().describe('Those of one step sign side by side; the next step waits for them.'),
  status: z
    .string()
    .describe('`Created` (an earlier step is not finished), `Pending`, `Completed` or `Refused`.'),
  url: z
    .string()
    .nullable()
    .describe('Where this person signs, while it is their turn. Null for a key with the role `Reader`.'),
});
const SIGNER = {
  ...{ name: 'Ana Souza', cpf: '52998224725', step: 1, status: 'Pending' },
  url: 'http://localhost:3000/documents/action/0c9a1f62',
};

export const ItemFile = z
  .object({
    name: z.string(),
    length: z.int(),
    sha256: z.string(),
    signerDocumentId: z.string().nullable().describe('Its document at the signature platform.'),
    signerDocumentUrl: z
      .string()
      .nullable()
      .describe('Where its first signer signs. Null for a key with the role `Reader`.'),
    signers: z
      .array(Signer)
      .describe('Those who were asked to sign it and how far they are, as the last look found them.'),
    signedAt: Time.nullable().describe('When the signed file was verified and taken.'),
    problem: z.string().nullable().describe('Why a signed file was not taken.'),
  })
  .meta({
    description: 'An XML file of an item.',
    examples: [
      {
        name: 'diploma',
        length: 412,
        sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        signerDocumentId: '0c9a1f62-7d5b-4f0e-8f6b-1f1f6a3c2e55',
        signerDocumentUrl: 'http://localhost:3000/documents/action/0c9a1f62',
        signers: [SIGNER],
        signedAt: null,
        problem: null,
      },
    ],
  });

/** The fields of every item; a kind extends them with its own. */
export const ItemModel = z.object({
  id: z.string(),
  subscriptionId: z.string().describe('The organization.'),
  instituteId: z.string(),
  status: z.string(),
  creationDate: Time,
  updateDate: Time,
  reason: z.string().nullable().describe('The reason of its last change that has one.'),
  cancellationReason: z
    .string()
    .nullable()
    .describe('Of an annulment, as the schema of the Ministry names it.'),
  problems: z
    .array(z.object({ file: z.string().nullable(), message: z.string() }))
    .describe('What somebody has to see to: of a file, or of the whole item.'),
  files: z.array(ItemFile),
});

/** For the examples of kinds. */
export const ITEM = {
  id: ITEM_ID,
  subscriptionId: SUBSCRIPTION_ID,
  instituteId: INSTITUTE_ID,
  status: 'Created',
  creationDate: '2026-03-02T12:00:00.000Z',
  updateDate: '2026-03-02T12:00:00.000Z',
  reason: null,
  cancellationReason: null,
  problems: [],
  files: [],
} as const;

const HistoryEntry = z.object({
  date: Time,
  event: z
    .string()
    .describe('An event of the state table. Of an emission also the type of the event of its request.'),
  status: z.string().describe('The status that it had then.'),
  by: z
    .string()
    .nullable()
    .describe('The person or application. Null for what nobody asked for, such as the last signature.'),
  reason: z.string().nullable(),
  cancellationReason: z.string().nullable(),
});

export const History = z.object({ entries: z.array(HistoryEntry) }).meta({
  description: 'What happened to an item, the newest first: its last 200 changes, and its creation.',
  examples: [
    {
      entries: [
        {
          ...{
            date: '2026-03-04T12:00:00.000Z',
            event: 'canceledTemporarily',
            status: 'CanceledTemporarily',
          },
          ...{ by: 'Carla Reis', reason: 'Pending a decision', cancellationReason: null },
        },
      ],
    },
  ],
});

/** Who studied what, as credentials tell it. */
export const Studies = z.object({
  studentName: Line,
  studentSocialName: Line.nullable().default(null),
  studentCpf: Cpf,
  course: Line,
  version: Version,
});

/** The same as an item answers it, for the model of a kind. */
export const studiesModel = {
  studentName: z.string(),
  studentSocialName: z.string().nullable(),
  studentCpf: z.string(),
  course: z.string(),
  version: z.string(),
  issuingIes: z.string().describe('The name of the issuing institution.'),
};

export const STUDIES = {
  studentName: 'Maria da Silva',
  studentSocialName: null,
  studentCpf: '52998224725',
  course: 'Engenharia Civil',
  version: '1.05',
} as const;

export const Resent = z
  .object({ types: z.array(z.string()).describe('The types of the events that are on their way.') })
  .meta({ description: 'The events that were recorded.', examples: [{ types: ['DegreeConcluded'] }] });
