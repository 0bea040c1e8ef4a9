import type * as z from 'zod';
import { validate } from '../../../shared/http/validate.ts';
import { Geolocation, type SignElectronicallyByKey } from '../contract/signing/electronic.ts';
import type { ElectronicSignature } from '../domain/electronic/sign.ts';

type Body = Omit<z.output<typeof SignElectronicallyByKey>, 'ticket' | 'flowActionId'>;

/** Where a request came from. */
export type Sender = {
  readonly clientAddress: string;
  readonly headers: Readonly<Record<string, string>>;
};

const MAX_AGENT_CHARACTERS = 500;

export const senderOf = ({ clientAddress, headers }: Sender) => ({
  ipAddress: clientAddress,
  userAgent: headers['user-agent']?.slice(0, MAX_AGENT_CHARACTERS) ?? null,
});

/** The electronic signature that a JSON request asks for. The application has shown its own sentence. */
export function signatureIn(body: Body, sender: Sender): ElectronicSignature {
  const marks = [
    ...(body.signaturePosition ? [body.signaturePosition] : []),
    ...(body.signaturePositions ?? []),
  ];
  const isSms = body.authenticationType === 'SMS';
  const geolocation = body.evidences?.geolocation;
  return {
    ...senderOf(sender),
    codes: {
      Email: body.emailCode ?? undefined,
      SMS: body.smsCode ?? (isSms ? body.authenticationCode : null) ?? undefined,
      AuthenticatorApp: body.otpCode ?? (isSms ? null : body.authenticationCode) ?? undefined,
    },
    shown: null,
    agreement: null,
    image: body.signatureImage ? { uploadId: body.signatureImage.id } : undefined,
    marks,
    geolocation: geolocation ? locationOf(geolocation) : null,
    userTimeZoneOffset: body.userTimeZoneOffset ?? null,
  };
}

const locationOf = ({ accuracy = null, ...place }: z.output<typeof Geolocation>) => ({ ...place, accuracy });

/** The location that a form gives as `latitude,longitude,accuracy`; null where the person gave none. */
export function locationIn(text: string | undefined): ElectronicSignature['geolocation'] {
  if (!text) return null;
  const [latitude, longitude, accuracy] = text.split(',').map(Number);
  return locationOf(validate(Geolocation, { latitude, longitude, accuracy }));
}
