import * as z from 'zod';
import {
  Id,
  ITEM,
  ItemModel,
  Line,
  Note,
  REGISTRAR_INSTITUTE_ID,
  Reason,
  STUDIES,
  Studies,
  studiesModel,
  XmlUploads,
} from '../items/shapes.ts';
import { CANCELLATION_REASONS } from '../items/vocabulary.ts';

export const CreateRegistration = Studies.extend({
  instituteId: Id.describe('The registering institute.'),
  issuingIes: Line.describe('The name of the issuing institution.'),
  issuingIesCode: z
    .string()
    .regex(/^\d{1,10}$/, 'must be a code of 1 to 10 digits')
    .describe('Its code at e-MEC, which begins the verification code.'),
  description: Note.nullable().default(null).describe('A note on the request.'),
  files: XmlUploads,
}).meta({
  description: 'A registration request to create, for the diploma of an issuer that is not here.',
  examples: [
    {
      ...STUDIES,
      instituteId: REGISTRAR_INSTITUTE_ID,
      issuingIes: 'Faculdade Exemplo',
      issuingIesCode: '4321',
      description: 'Graduation of March',
    },
  ],
});

export const Registration = ItemModel.extend({
  ...studiesModel,
  issuingIesCode: z.string().describe('Its code at e-MEC.'),
  registeringIes: z.string().describe('The name of the registering institution.'),
  verificationCode: z
    .string()
    .describe('The code for the diploma. Anybody looks it up at `/verify` once it is registered.'),
  description: z.string().nullable(),
  emissionId: z.string().nullable().describe('The emission that was sent as this request.'),
}).meta({
  description: 'A request to register a diploma. Created is "Aguardando aceitação".',
  examples: [
    {
      ...ITEM,
      ...STUDIES,
      instituteId: REGISTRAR_INSTITUTE_ID,
      issuingIes: 'Faculdade Exemplo',
      issuingIesCode: '4321',
      registeringIes: 'Universidade Registradora',
      verificationCode: '4321.567.9f86d081884c7d65',
      description: 'Graduation of March',
      emissionId: null,
    },
  ],
});

export const ChangeRegistration = z
  .object({
    reason: Reason.optional().describe('Of `rejected` and `canceled`, and required there: why.'),
    cancellationReason: z
      .enum(CANCELLATION_REASONS)
      .optional()
      .describe(
        'Of `canceled`, exactly as the schema of the Ministry has it. Required where a degree is annulled with it.',
      ),
    files: XmlUploads.describe(
      'Of `registered`: the `diploma`. Without it that of the creation, or one that is written of the fields.',
    ),
  })
  .meta({
    description: 'What the registrar does with a request.',
    examples: [
      {},
      { reason: 'A document is missing' },
      { reason: 'Wrong course', cancellationReason: 'Erro de Fato' },
    ],
  });
