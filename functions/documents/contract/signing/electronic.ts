import * as z from 'zod';
import { ACTION_ID, DIGEST, MARK, TICKET, UPDATED, UPLOAD_ID } from '../examples.ts';
import { Cpf, line, orNull } from '../fields.ts';
import { MarkRequest, PositionRequest } from '../marks.ts';
import { TICKET_FIELD } from './signing.ts';

const MAX_MARKS = 50;
const MAX_OFFSET_MINUTES = 840;

/** How a person can have shown who they are. Those that are never asked for are in the list of clients. */
export const AUTHENTICATION_TYPES = [
  'SMS',
  'AuthenticatorApp',
  'Email',
  'Login',
  'Application',
  'Selfie',
  'Datavalid',
  'Pix',
  'AccessCode',
  'Whatsapp',
  'Liveness',
  'IdScan',
] as const;

export const Geolocation = z
  .object({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    accuracy: z.number().min(0).nullish().describe('In meters.'),
  })
  .meta({
    description: 'Where the person was, as they gave it.',
    examples: [{ latitude: -23.55052, longitude: -46.63331, accuracy: 20 }],
  });

const Code = orNull(z.string().trim().max(40));

const ELECTRONIC_FIELDS = {
  signaturePosition: PositionRequest.nullish().describe('Where the PDF shows the signature.'),
  signaturePositions: z
    .array(MarkRequest)
    .max(MAX_MARKS)
    .nullish()
    .describe(
      'Several places, of the signature itself. With `uploadId`, the pages of that file of an envelope; without, those of the whole. Left out: the marks of the action.',
    ),
  signatureImage: z
    .object({ id: z.uuid().describe('Of an upload.'), contentType: orNull(line()) })
    .nullish()
    .describe('A PNG or JPEG of at most 100 KB, which is shown at these places.'),
  authenticationType: orNull(z.enum(['SMS', 'AuthenticationApp', 'AuthenticatorApp'])).describe(
    'What `authenticationCode` is.',
  ),
  authenticationCode: Code.describe('The same as the code of its type.'),
  smsCode: Code,
  emailCode: Code,
  otpCode: Code.describe('Of an authenticator app.'),
  evidences: z.object({ geolocation: Geolocation.nullish() }).nullish(),
  userTimeZoneOffset: z.int().min(-MAX_OFFSET_MINUTES).max(MAX_OFFSET_MINUTES).nullish(),
};

export const SignElectronically = z
  .object({
    flowActionId: orNull(line()),
    identifier: orNull(Cpf).describe('Of the person, where the action is a rule.'),
    emailAddress: orNull(z.email().max(254)),
    ticket: orNull(z.string().max(200)).describe('Not needed: the key of the application says who signs.'),
    ...ELECTRONIC_FIELDS,
  })
  .meta({
    description: 'The action that a person signs electronically, with the codes that it asks for.',
    examples: [{ flowActionId: ACTION_ID, smsCode: '493027', signaturePosition: MARK }],
  });

export const SignElectronicallyByKey = z
  .object({ ...TICKET_FIELD, flowActionId: orNull(line()), ...ELECTRONIC_FIELDS })
  .meta({
    description: 'The ticket of the action URL, and the codes that the signature asks for.',
    examples: [{ ticket: TICKET, emailCode: '493027', signatureImage: { id: UPLOAD_ID } }],
  });

export const SendCode = z
  .object({
    flowActionId: line(),
    identifier: orNull(Cpf).describe('Of the person, where the action is a rule.'),
    emailAddress: orNull(z.email().max(254)),
    resend: z.boolean().nullish().describe('Every call sends a new code.'),
  })
  .meta({
    description: 'The action whose person gets a code by SMS.',
    examples: [{ flowActionId: ACTION_ID, resend: false }],
  });

export const EvidencesModel = z
  .object({
    ipAddress: z.string(),
    userAgent: z.string().nullable(),
    authenticationTypes: z.array(z.enum(AUTHENTICATION_TYPES)),
    accountVerifiedEmail: z.null(),
    authenticatedEmail: z.string().nullable(),
    authenticatedPhoneNumber: z.string().nullable(),
    authenticatedPhoneNumberLastDigits: z.string().nullable(),
    authenticatedApplication: z
      .object({ id: z.string(), name: z.string(), organizationName: z.string() })
      .nullable(),
    authenticatedSelfie: z.null(),
    authenticatedPix: z.null(),
    livenessData: z.object({ sessionId: z.string() }).nullable(),
    geolocation: z
      .object({ latitude: z.number(), longitude: z.number(), accuracy: z.number().nullable() })
      .nullable(),
    timestamp: z.iso.datetime(),
    signatureType: z.literal('Simple').describe('As Lei 14.063/2020, art. 4, calls it.'),
    evidencesSha256: z.base64().describe('Of `file`. The next evidence of the document holds it too.'),
    file: z.base64().nullable().describe('The evidence as it is recorded, JSON.'),
    fileTicket: z.null(),
  })
  .meta({
    description: 'What is known of an electronic signature.',
    examples: [
      {
        ipAddress: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
        authenticationTypes: ['Email'],
        accountVerifiedEmail: null,
        authenticatedEmail: 'ana@sandbox.example',
        authenticatedPhoneNumber: null,
        authenticatedPhoneNumberLastDigits: null,
        authenticatedApplication: null,
        authenticatedSelfie: null,
        authenticatedPix: null,
        livenessData: null,
        geolocation: null,
        timestamp: UPDATED,
        signatureType: 'Simple',
        evidencesSha256: DIGEST,
        file: 'eyJ2ZXJzaW9uIjoxfQ==',
        fileTicket: null,
      },
    ],
  });
