import * as z from 'zod';
import {
  Id,
  INSTITUTE_ID,
  ITEM,
  ItemModel,
  Note,
  REGISTRAR_INSTITUTE_ID,
  Reason,
  STUDIES,
  Studies,
  studiesModel,
  XmlUploads,
} from '../items/shapes.ts';

export const CreateEmission = Studies.extend({
  instituteId: Id.describe('The issuing institute.'),
  files: XmlUploads,
}).meta({
  description: 'An emission to create: a degree that is issued here and registered by another institution.',
  examples: [{ ...STUDIES, instituteId: INSTITUTE_ID }],
});

export const Emission = ItemModel.extend({
  ...studiesModel,
  registrarInstituteId: z.string().nullable().describe("The registrar's institute that it was sent to last."),
  registrationId: z.string().nullable().describe("The registrar's request of it."),
  registrationStatus: z.string().nullable().describe('The status of that request; null before it is sent.'),
  registrationCancellationReason: z
    .string()
    .nullable()
    .describe('The `cancellationReason` of that request. What the registrar wrote is in `reason`.'),
  degreeId: z.string().nullable().describe('Its degree, once it is registered.'),
}).meta({
  description: 'A degree that is issued here and registered by another institution.',
  examples: [
    {
      ...ITEM,
      ...STUDIES,
      status: 'SentToRegistry',
      issuingIes: 'Universidade Exemplo',
      registrarInstituteId: REGISTRAR_INSTITUTE_ID,
      registrationId: '0b6f0a52-6c7e-4f0a-9a51-0d1f5f7f3a44',
      registrationStatus: 'Created',
      registrationCancellationReason: null,
      degreeId: null,
    },
  ],
});

export const ChangeEmission = z
  .object({
    registrarInstituteId: Id.optional().describe(
      "Of `sentToRegistry`, and required there: the registrar's institute. It need not be open to this key.",
    ),
    description: Note.optional().describe('Of `sentToRegistry`: a note for the registrar.'),
    reason: Reason.optional().describe('Of `canceled`, and required there: why.'),
  })
  .meta({
    description: 'What happens to an emission.',
    examples: [
      { registrarInstituteId: REGISTRAR_INSTITUTE_ID, description: 'Graduation of March' },
      { reason: 'Wrong course' },
    ],
  });

const Registrar = z.object({
  id: z.string(),
  name: z.string(),
  emecCode: z
    .string()
    .describe('Its code at e-MEC, which is in the verification codes of what it registers.'),
});

export const Registrars = z.object({ registrars: z.array(Registrar) }).meta({
  description: 'The institutes that register, of all organizations, by name.',
  examples: [
    { registrars: [{ id: REGISTRAR_INSTITUTE_ID, name: 'Universidade Registradora', emecCode: '567' }] },
  ],
});
