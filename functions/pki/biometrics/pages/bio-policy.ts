import type { Answer } from '../../../../shared/http/response/answer.ts';
import { settings } from '../../settings.ts';

/**
 * Content security policy: allows the operator's capture module, and its calls to the provider. Without such a module
 * the page loads and calls this host alone.
 */
export function withCaptureModule(answer: Answer): Answer {
  const module = settings['Biometrics:CaptureModule'];
  if (settings['Biometrics:Provider'] !== 'Rekognition' || module === undefined) return answer;
  const { origin } = new URL(module);
  const region = settings['Biometrics:Region'];
  // Credentials come from Cognito, and the video goes to Rekognition's stream.
  const sources = [
    origin,
    `https://cognito-identity.${region}.amazonaws.com`,
    `wss://streaming-rekognition.${region}.amazonaws.com`,
  ].join(' ');
  const policy = String(answer.headers['content-security-policy'])
    .replace("script-src 'self'", `script-src 'self' ${origin} 'wasm-unsafe-eval'`)
    .replace("connect-src 'self'", `connect-src 'self' ${sources}`)
    .replace("style-src 'self'", `style-src 'self' ${origin}`)
    .replace('img-src data:', `img-src data: blob: ${origin}; worker-src blob: ${origin}`);
  return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } };
}
