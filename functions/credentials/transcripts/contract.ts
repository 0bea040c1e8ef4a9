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
import { TRANSCRIPT_TYPES } from '../items/vocabulary.ts';

const Type = z.enum(TRANSCRIPT_TYPES).describe('Which of the three roots of the schema it has.');

export const CreateTranscript = Studies.extend({
  instituteId: Id.describe('The issuing institute.'),
  type: Type,
  files: XmlUploads,
}).meta({
  description: 'An academic transcript to create.',
  examples: [{ ...STUDIES, instituteId: INSTITUTE_ID, type: 'Partial' }],
});

export const Transcript = ItemModel.extend({
  ...studiesModel,
  type: Type,
  verificationCode: z.string().describe('By which anybody looks it up at `/verify`.'),
}).meta({
  description: 'An academic transcript. It is concluded when its file is signed.',
  examples: [
    {
      ...ITEM,
      ...STUDIES,
      type: 'Partial',
      issuingIes: 'Universidade Exemplo',
      verificationCode: '1234.1234.60303ae22b998861',
    },
  ],
});

export const ChangeTranscript = z.object({ reason: Reason }).meta({
  description: 'Why a transcript is canceled, suspended or restored.',
  examples: [{ reason: 'Wrong grades' }],
});
