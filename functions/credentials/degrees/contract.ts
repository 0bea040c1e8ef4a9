import * as z from 'zod';
import {
  Id,
  INSTITUTE_ID,
  ITEM,
  ItemModel,
  Reason,
  STUDIES,
  Studies,
  studiesModel,
  XmlUploads,
} from '../items/shapes.ts';
import { CANCELLATION_REASONS, TRANSCRIPT_TYPES } from '../items/vocabulary.ts';

export const CreateDegree = Studies.extend({
  instituteId: Id.describe('The issuing institute.'),
  registeringInstituteId: Id.optional().describe('The registering institute, where it is another one.'),
  files: XmlUploads,
  academicTranscript: z
    .object({ type: z.enum(TRANSCRIPT_TYPES).default('Final'), files: XmlUploads })
    .optional()
    .describe(
      'Creates the transcript of the same studies as well. The degree is created even if that fails.',
    ),
}).meta({
  description: 'A degree to create.',
  examples: [{ ...STUDIES, instituteId: INSTITUTE_ID, academicTranscript: { type: 'Final' } }],
});

export const Degree = ItemModel.extend({
  ...studiesModel,
  registeringIes: z.string().describe('The name of the registering institution.'),
  registeringInstituteId: z.string(),
  verificationCode: z.string().describe('By which anybody looks it up at `/verify`.'),
  academicTranscriptCreationError: z.string().nullable().describe('Why its transcript was not created.'),
  transcriptId: z.string().nullable().describe('The transcript that was created with it.'),
  emissionId: z.string().nullable().describe('The emission that it was registered from.'),
}).meta({
  description: 'A degree. It is concluded when both of its files are signed.',
  examples: [
    {
      ...ITEM,
      ...STUDIES,
      issuingIes: 'Universidade Exemplo',
      registeringIes: 'Universidade Exemplo',
      registeringInstituteId: INSTITUTE_ID,
      verificationCode: '1234.1234.9f86d081884c7d65',
      academicTranscriptCreationError: null,
      transcriptId: null,
      emissionId: null,
    },
  ],
});

export const ChangeDegree = z
  .object({
    reason: Reason,
    cancellationReason: z
      .enum(CANCELLATION_REASONS)
      .optional()
      .describe('Required to annul (`canceled`), exactly as the schema of the Ministry has it.'),
  })
  .meta({
    description: 'Why a degree is annulled, suspended or restored.',
    examples: [{ reason: 'Wrong course', cancellationReason: 'Erro de Fato' }],
  });
