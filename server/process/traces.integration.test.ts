import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listPlans } from "#contract/catalogue.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { listening } from "#test/listening.ts";
import { openTraceReceiver, type ReceivedSpan } from "#test/stand-ins/trace-receiver.ts";
import { until } from "#test/until.ts";

const ancestorsOf = (span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [parent.name, ...ancestorsOf(parent, spans)] : [];
};

test("a purchase is one trace of request, statements, gateway and job, without personal data [G08]", async () => {
  await using receiver = await openTraceReceiver();
  const buyer = await (async () => {
    await using academy = await openAcademyInProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20secret",
      OTEL_SERVICE_NAME: "academy-of-a-test",
    });
    const visitor = await academy.visitor().signUp();
    const headers = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
    const body = await visitor.paymentFor("premium");
    expect((await visitor.call(acceptPayment, { body, headers })).status).toBe(200);
    await visitor.send("GET", `${listPlans.path}?q=${encodeURIComponent(visitor.email)}`);
    await academy.mailTo(visitor, /receipt|welcome|access/i);
    return visitor;
  })();

  const { spans, said } = receiver;
  const request = spans.find(({ name }) => name === `POST ${acceptPayment.path}`);
  expect(request).toMatchObject({
    attributes: expect.arrayContaining([{ key: "http.response.status_code", value: { intValue: 200 } }]),
  });
  const ofPurchase = spans.filter(({ traceId }) => traceId === request?.traceId);
  const rooted = (name: string) =>
    ofPurchase.filter((span) => span.name === name).map((span) => ancestorsOf(span, spans));
  expect(rooted("INSERT purchases")).toContainEqual([request?.name]);
  expect(rooted("gateway createTransactionRequest")).toContainEqual([request?.name]);
  const job = ofPurchase.find(({ name }) => name.startsWith("job "));
  expect(job && ancestorsOf(job, spans)).toEqual([request?.name]);
  expect(
    ofPurchase.some((span) => ancestorsOf(span, spans)[0] === job?.name && span.name.startsWith("DELETE jobs")),
  ).toBe(true);
  // What a visitor says of a trace counts for nothing.
  expect(spans.some(({ traceId }) => traceId === "a".repeat(32))).toBe(false);
  // Nothing asks the database on nobody's behalf.
  expect(spans.filter(({ name, parentSpanId }) => !parentSpanId && !/^(GET|POST|PUT|DELETE|job) /.test(name))).toEqual(
    [],
  );

  const all = said.join("\n");
  expect(all).toContain('"x-token":"a secret"');
  expect(all).toContain("academy-of-a-test");
  const [name = ""] = buyer.email.split("@");
  for (const secret of [buyer.email, name, "example.test", "4111111111111111", "Vendor", "plywood", "?q="]) {
    expect(all.includes(secret), secret).toBe(false);
  }
  // What is as short as this stands in times and ids by chance.
  const facts = spans.flatMap((span) => [span.name, ...span.attributes.filter(({ key }) => !/_id$/.test(key))]);
  for (const secret of ["1111", "90210"]) expect(JSON.stringify(facts).includes(secret), secret).toBe(false);
});

test("a receiver that accepts nothing slows nothing down and is logged once [I19]", async () => {
  // It takes connections, and never answers.
  const silent = createServer((socket) => socket.resume().on("error", () => {}));
  const endpoint = `http://127.0.0.1:${await listening(silent)}`;
  await using academy = await openAcademyInProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const body = { name: "Nora Quill", email: "nora@example.test", message: "hello" };
  expect((await academy.visitor().call(sendContactMessage, { body })).status).toBe(200);
  expect((await academy.visitor().send("GET", "/readyz")).status).toBe(200);
  await until(async () => academy.log.some((line) => line.includes("traces are lost")));
  expect((await academy.visitor().call(sendContactMessage, { body })).status).toBe(200);
  expect(academy.log.filter((line) => line.includes("traces are lost"))).toHaveLength(1);
  silent.close();
});
