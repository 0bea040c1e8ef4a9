import eu.europa.esig.dss.enumerations.Indication;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.enumerations.SubIndication;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.policy.ValidationPolicy;
import eu.europa.esig.dss.pades.validation.PDFDocumentValidator;
import eu.europa.esig.dss.pdf.modifications.DefaultPdfDifferencesFinder;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxNativeObjectFactory;
import eu.europa.esig.dss.service.crl.OnlineCRLSource;
import eu.europa.esig.dss.service.ocsp.OnlineOCSPSource;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.policy.ValidationPolicyLoader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Validates the files that are named on standard input, one on each line, with EU DSS and its own validation policy, and prints a
 * line of JSON for each. The content of a detached signature follows its name, after a tab.
 * java Judge ROOT.crt ...
 */
public final class Judge {
  private Judge() {}

  public static void main(String[] roots) throws Exception {
    Loader loader = new Loader();
    ValidationPolicy policy = policy();
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    for (String root : roots) trusted.addCertificate(DSSUtils.loadCertificate(new File(root)));
    List<String> lines = new String(System.in.readAllBytes(), "UTF-8").lines().collect(Collectors.toList());
    try (Stream<String> all = lines.parallelStream()) {
      all.map(line -> judge(line.split("\t"), trusted, loader, policy)).forEachOrdered(System.out::println);
    }
  }

  // The policy that comes with DSS warns of changes to a PDF after a signature, and fails none for them.
  private static ValidationPolicy policy() throws Exception {
    try (InputStream own = Judge.class.getResourceAsStream("/policy/constraint.xml")) {
      String text = new String(own.readAllBytes(), "UTF-8");
      for (String change : new String[] {"DocMDP", "FieldMDP", "SigFieldLock", "UndefinedChanges"})
        text = text.replace("<" + change + " Level=\"WARN\"", "<" + change + " Level=\"FAIL\"");
      return ValidationPolicyLoader.fromValidationPolicy(new ByteArrayInputStream(text.getBytes("UTF-8"))).create();
    }
  }

  // Pages are compared by what they are made of. Drawing them would take most of the time, and is a warning at most.
  private static PdfBoxNativeObjectFactory pdfs() {
    DefaultPdfDifferencesFinder differences = new DefaultPdfDifferencesFinder();
    differences.setMaximalPagesAmountForVisualComparison(0);
    PdfBoxNativeObjectFactory factory = new PdfBoxNativeObjectFactory();
    factory.setPdfDifferencesFinder(differences);
    return factory;
  }

  // One for each file: a verifier keeps what it is asked.
  private static CommonCertificateVerifier verifier(CommonTrustedCertificateSource trusted, Loader loader) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    verifier.setCrlSource(new OnlineCRLSource(loader));
    verifier.setOcspSource(new OnlineOCSPSource(loader));
    return verifier;
  }

  private static String judge(String[] names, CommonTrustedCertificateSource trusted, Loader loader, ValidationPolicy policy) {
    String file = names[0];
    try {
      SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
      validator.setCertificateVerifier(verifier(trusted, loader));
      validator.setEnableEtsiValidationReport(false);
      if (validator instanceof PDFDocumentValidator) ((PDFDocumentValidator) validator).setPdfObjFactory(pdfs());
      if (names.length > 1) {
        List<DSSDocument> content = new ArrayList<>();
        content.add(new FileDocument(names[1]));
        validator.setDetachedContents(content);
      }
      SimpleReport report = validator.validateDocument(policy).getSimpleReport();
      List<String> signatures = new ArrayList<>();
      for (String id : report.getSignatureIdList()) signatures.add(signature(report, id));
      return "{\"file\":" + text(file) + ",\"signatures\":[" + String.join(",", signatures) + "]}";
    } catch (Exception | StackOverflowError error) {
      return "{\"file\":" + text(file) + ",\"problem\":" + text(error.toString()) + ",\"signatures\":[]}";
    }
  }

  private static String signature(SimpleReport report, String id) {
    Indication indication = report.getIndication(id);
    SubIndication sub = report.getSubIndication(id);
    SignatureLevel level = report.getSignatureFormat(id);
    return "{\"indication\":" + text(indication) + ",\"reason\":" + text(sub) + ",\"level\":" + text(level)
      + ",\"by\":" + text(report.getSignedBy(id))
      + ",\"errors\":" + texts(report.getAdESValidationErrors(id)) + "}";
  }

  private static String texts(List<Message> messages) {
    return messages.stream().map(message -> text(message.getValue())).collect(Collectors.joining(",", "[", "]"));
  }

  private static String text(Object value) {
    if (value == null) return "null";
    StringBuilder json = new StringBuilder("\"");
    for (char c : value.toString().toCharArray())
      if (c == '"' || c == '\\') json.append('\\').append(c);
      else if (c < ' ') json.append(String.format("\\u%04x", (int) c));
      else json.append(c);
    return json.append('"').toString();
  }
}
