import { bytes, count, duration } from '../../../shared/settings/kinds.ts';

/** The settings of signature sessions, to stand among those of the service. */
export const signatureSessionSettings = {
  'SignatureSessions:TokenValidFor': duration(
    '04:00:00',
    'How long a signature session waits for its signer, and its token is good.',
    { min: 60 },
  ),
  'SignatureSessions:KeptFor': duration(
    '24:00:00',
    'How long a signature session and its documents are kept once its token has expired.',
    { min: 7_200 }, // the files of a session signed in its last second are made by then, retries included
  ),
  'SignatureSessions:SignatureValidFor': duration(
    '00:10:00',
    'How long a signature that was started can be completed: a person finds the card and types the PIN.',
    { min: 30 },
  ),
  'SignatureSessions:MaxDocuments': count(20, 'Documents that one signature session may have.', {
    min: 1,
    max: 50, // they share one item of the table
  }),
  'SignatureSessions:MaxDocumentBytes': bytes(10_485_760, 'Largest document of a signature session.'),
  'SignatureSessions:CompletionWait': duration(
    10,
    'How long a call that awaits completion is held while the signed files are being made.',
    { max: 20 }, // a caller behind an API gateway waits 29 s at most
  ),
};
