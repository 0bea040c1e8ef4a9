import com.sun.management.OperatingSystemMXBean;
import eu.europa.esig.dss.cades.CAdESSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESService;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.signature.DocumentSignatureService;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.token.DSSPrivateKeyEntry;
import eu.europa.esig.dss.token.Pkcs12SignatureToken;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.xades.XAdESSignatureParameters;
import eu.europa.esig.dss.xades.signature.XAdESService;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.security.KeyStore.PasswordProtection;
import java.util.concurrent.Callable;

/**
 * Signs a file and verifies a signed one again and again, and prints how many a second, and the CPU of each, as JSON.
 * java Peer pades|cades|xades KEY.p12 PIN FILE SIGNED ROOT.crt SECONDS
 */
public final class Peer {
  private static final int WARM_UP_ROUNDS = 5;

  private Peer() {}

  public static void main(String[] words) throws Exception {
    long seconds = Long.parseLong(words[6]);
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(DSSUtils.loadCertificate(new File(words[5])));
    DSSDocument file = new FileDocument(words[3]);
    try (Pkcs12SignatureToken token = new Pkcs12SignatureToken(words[1], new PasswordProtection(words[2].toCharArray()))) {
      DSSPrivateKeyEntry key = token.getKeys().get(0);
      Callable<?> sign = () -> {
        if (words[0].equals("pades")) return signed(new PAdESService(verifier(trusted)), pades(), file, token, key);
        if (words[0].equals("cades")) return signed(new CAdESService(verifier(trusted)), cades(), file, token, key);
        return signed(new XAdESService(verifier(trusted)), xades(), file, token, key);
      };
      Callable<?> verify = () -> {
        SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(words[4]));
        validator.setCertificateVerifier(verifier(trusted));
        return validator.validateDocument().getSimpleReport();
      };
      System.out.println("{\"sign\":" + measured(sign, seconds) + ",\"verify\":" + measured(verify, seconds) + "}");
    }
  }

  private static CommonCertificateVerifier verifier(CommonTrustedCertificateSource trusted) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    return verifier;
  }

  private static PAdESSignatureParameters pades() {
    PAdESSignatureParameters parameters = new PAdESSignatureParameters();
    parameters.setSignatureLevel(SignatureLevel.PAdES_BASELINE_B);
    return parameters;
  }

  private static CAdESSignatureParameters cades() {
    CAdESSignatureParameters parameters = new CAdESSignatureParameters();
    parameters.setSignatureLevel(SignatureLevel.CAdES_BASELINE_B);
    parameters.setSignaturePackaging(SignaturePackaging.ENVELOPING);
    return parameters;
  }

  private static XAdESSignatureParameters xades() {
    XAdESSignatureParameters parameters = new XAdESSignatureParameters();
    parameters.setSignatureLevel(SignatureLevel.XAdES_BASELINE_B);
    parameters.setSignaturePackaging(SignaturePackaging.ENVELOPED);
    return parameters;
  }

  private static <P extends AbstractSignatureParameters<?>> DSSDocument signed(
      DocumentSignatureService<P, ?> service, P parameters, DSSDocument file, Pkcs12SignatureToken token, DSSPrivateKeyEntry key) {
    parameters.setSigningCertificate(key.getCertificate());
    parameters.setCertificateChain(key.getCertificateChain());
    return service.signDocument(
      file, parameters, token.sign(service.getDataToSign(file, parameters), parameters.getDigestAlgorithm(), key));
  }

  // The first round is for the compiler, which takes its time.
  private static String measured(Callable<?> work, long seconds) throws Exception {
    String figures = "";
    for (int round = 0; round < 2; round++) {
      OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      long from = System.nanoTime(), cpu = process.getProcessCpuTime(), done = 0;
      long until = (round == 0 ? WARM_UP_ROUNDS : 1) * seconds * 1_000_000_000L;
      for (; System.nanoTime() - from < until; done++) work.call();
      double each = (process.getProcessCpuTime() - cpu) / 1e6 / done;
      figures = "{\"perSecond\":" + done * 1e9 / (System.nanoTime() - from) + ",\"cpuMs\":" + each + "}";
    }
    return figures;
  }
}
