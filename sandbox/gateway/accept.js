/*
 * The sandbox's version of Accept.js, at the sandbox's URL, with the documented interface of the gateway's script. It
 * accepts and refuses what the real script does, in the same order and with the same texts, so that a checkout that
 * works here works there.
 */
(() => {
  const texts = {
    E_WC_01: "Please include Accept.js library from cdn.",
    E_WC_02: "A HTTPS connection is required.",
    E_WC_03: "Accept.js is not loaded correctly.",
    E_WC_04: "Please provide mandatory field to library.",
    E_WC_05: "Please provide valid credit card number.",
    E_WC_06: "Please provide valid expiration month.",
    E_WC_07: "Please provide valid expiration year.",
    E_WC_08: "Expiration date must be in the future.",
    E_WC_10: "Please provide valid apiloginid.",
    E_WC_14: "Accept.js encryption failed.",
    E_WC_15: "Please provide valid CVV.",
    E_WC_16: "Please provide valid Zip code.",
    E_WC_17: "Please provide valid card holder name.",
    E_WC_18: "Client key is required.",
  };

  /** The gateway's codes that the script renames. All others pass through. */
  const renamed = {
    I00001: "I_WC_01",
    E00001: "E_WC_19",
    E00003: "E_WC_20",
    E00007: "E_WC_21",
    E00059: "E_WC_22",
    E00096: "E_WC_13",
  };

  const own = document.currentScript;
  // Like the real script, refuses to work when it is bundled or loaded with a query.
  const address = own?.src && !new URL(own.src).search ? own.src : null;

  function answer(handler, response) {
    if (typeof handler === "function") handler(response);
    else window[handler](response);
  }

  function failure(codes) {
    return { messages: { resultCode: "Error", message: codes.map((code) => ({ code, text: texts[code] })) } };
  }

  function isSecurePage() {
    return location.protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(location.hostname);
  }

  function passesLuhn(digits) {
    let sum = 0;
    for (let index = 0; index < digits.length; index += 1) {
      const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 1 ? 2 : 1);
      sum += digit > 9 ? digit - 9 : digit;
    }
    return sum % 10 === 0;
  }

  function hasExpired(month, year) {
    const fullYear = Number(year.length === 2 ? `20${year}` : year);
    return new Date(fullYear, Number(month), 0, 23, 59, 59) < new Date();
  }

  /** All faults at once, one code each. */
  function faultsOf(authData, cardData) {
    const faults = [];
    const digits = cardData.cardNumber.replace(/[. ,:-]+/g, "");
    if (!/^[0-9]{13,16}$/.test(digits) || !passesLuhn(digits)) faults.push("E_WC_05");
    const { month, year } = cardData;
    const yearFits = /^([0-9]{2}|[0-9]{4})$/.test(year);
    const monthFits = /^(0?[1-9]|1[0-2])$/.test(month);
    if (!yearFits) faults.push("E_WC_07");
    if (yearFits && monthFits && hasExpired(month, year)) faults.push("E_WC_08");
    if (!monthFits) faults.push("E_WC_06");
    if (!authData.apiLoginID || authData.apiLoginID.length >= 255) faults.push("E_WC_10");
    if (!authData.clientKey) faults.push("E_WC_18");
    if (cardData.cardCode && !/^[0-9]{3,4}$/.test(cardData.cardCode)) faults.push("E_WC_15");
    if (cardData.zip && cardData.zip.length > 20) faults.push("E_WC_16");
    if (cardData.fullName && cardData.fullName.length > 64) faults.push("E_WC_17");
    return faults;
  }

  function containerRequest(authData, cardData) {
    const { cardNumber, cardCode, zip, fullName } = cardData;
    const month = cardData.month.length === 1 ? `0${cardData.month}` : cardData.month;
    const token = { cardNumber, expirationDate: month + cardData.year };
    // In the schema's order. Sends the number as given, so that the gateway refuses one with spaces.
    if (cardCode) token.cardCode = cardCode;
    if (zip) token.zip = zip;
    if (fullName) token.fullName = fullName;
    const data = { type: "TOKEN", id: crypto.randomUUID(), token };
    return {
      securePaymentContainerRequest: {
        merchantAuthentication: { name: authData.apiLoginID, clientKey: authData.clientKey },
        data,
      },
    };
  }

  async function tokenize(authData, cardData) {
    try {
      const response = await fetch(new URL("../xml/v1/request.api", address), {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8" },
        body: JSON.stringify(containerRequest(authData, cardData)),
        credentials: "omit",
      });
      const content = JSON.parse((await response.text()).replace(/^\uFEFF/, ""));
      const messages = {
        resultCode: content.messages.resultCode,
        message: content.messages.message.map(({ code, text }) => ({ code: renamed[code] ?? code, text })),
      };
      return content.opaqueData ? { opaqueData: content.opaqueData, messages } : { messages };
    } catch {
      return failure(["E_WC_14"]);
    }
  }

  function dispatchData(secureData, handler) {
    if (address === null) return answer(handler, failure(["E_WC_01"]));
    if (!isSecurePage()) return answer(handler, failure(["E_WC_02"]));
    if (!window.isReady) return answer(handler, failure(["E_WC_14"]));
    const { authData, cardData } = secureData ?? {};
    if (!authData || !cardData) return answer(handler, failure(["E_WC_04"]));
    const faults = faultsOf(authData, cardData);
    if (faults.length > 0) return answer(handler, failure(faults));
    tokenize(authData, cardData).then((response) => answer(handler, response));
  }

  function notLoaded(_secureData, handler) {
    answer(handler, failure(["E_WC_03"]));
  }

  function shakeHands() {
    window.isReady = true;
  }

  /** The real script loads its core in a second step, and is ready only after a handshake with it. */
  function start() {
    window.Accept.dispatchData = dispatchData;
    document.body.addEventListener("handshake", shakeHands, { once: true });
    document.body.dispatchEvent(new Event("handshake"));
  }

  window.Accept = { dispatchData: notLoaded };
  if (document.readyState === "complete") setTimeout(start);
  else window.addEventListener("load", () => setTimeout(start));
})();
