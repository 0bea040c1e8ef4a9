import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import sinete.DocumentsModels.CreateDocuments;
import sinete.DocumentsModels.CreatedDocument;
import sinete.DocumentsModels.CreatedWebhook;
import sinete.DocumentsModels.FileRef;
import sinete.DocumentsModels.FlowActionRequest;
import sinete.DocumentsModels.Participant;
import sinete.DocumentsModels.Upload;
import sinete.DocumentsModels.UploadBytes;
import sinete.DocumentsModels.VerificationReport;
import sinete.DocumentsModels.WebhookRequest;
import sinete.SessionModels.Accepted;
import sinete.SessionModels.CreateSession;
import sinete.SessionModels.Session;
import sinete.SessionModels.SignDocument;

/** Signs contract.pdf, verifies it, and waits for the webhook of a document. */
public class Main {
    static final String WEBHOOKS = "/documents/api/organizations/11111111-1111-4111-8111-111111111111/webhooks";

    public static void main(String[] arguments) throws Exception {
        var contract = Files.readAllBytes(Path.of("contract.pdf"));

        var signed = sign(contract);
        Files.write(Path.of("signed.pdf"), signed);
        System.out.println("Signed: signed.pdf");

        var report = Sinete.post("/documents/api/verification", signed, VerificationReport.class);
        System.out.println("Verified: " + report.outcome() + ", " + report.signatures().size() + " signature");
        if (!report.outcome().equals("valid")) throw new Exception(String.join(", ", report.reasons()));

        try (var receiver = new Receiver()) {
            var request = new WebhookRequest(receiver.url(), "Bearer", receiver.token, receiver.secret);
            var webhook = Sinete.post(WEBHOOKS, request, CreatedWebhook.class);
            System.out.println("Webhook: created");
            try {
                var documentId = createDocument(contract);
                receiver.waitForCreated(documentId);
                System.out.println("Event: DocumentsCreated");
            } finally {
                Sinete.send("DELETE", WEBHOOKS + "/" + webhook.webhookId(), null);
            }
        }
    }

    static byte[] sign(byte[] pdf) throws Exception {
        var opening = new CreateSession("52998224725", "1234", null, null);
        var session = Sinete.post("/session/v1/sessions", opening, Session.class);
        var signing = new SignDocument(session.sessionId(), base64(pdf), "contract.pdf", null);
        var accepted = Sinete.post("/session/v1/signatures", signing, Accepted.class);

        var path = "/session/v1/signatures/" + accepted.signatureId() + "/document";
        while (true) {
            try {
                return Sinete.send("GET", path, null);
            } catch (Sinete.Refusal refusal) {
                if (!refusal.code.equals("DOCUMENT_NOT_READY")) throw refusal;
                Thread.sleep(500);
            }
        }
    }

    static String createDocument(byte[] pdf) throws Exception {
        var upload = Sinete.post("/documents/api/uploads/bytes", new UploadBytes(base64(pdf)), Upload.class);
        var signer = Participant.builder().name("Ana Lima").identifier("52998224725").build();
        var request = CreateDocuments.builder()
            .files(List.of(new FileRef(upload.id(), null, "contract.pdf", null)))
            .flowActions(List.of(FlowActionRequest.builder().type("Signer").step(1L).user(signer).build()))
            .build();
        return Sinete.post("/documents/api/documents", request, CreatedDocument[].class)[0].documentId();
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
