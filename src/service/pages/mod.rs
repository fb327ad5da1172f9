//! The pages for people.

use actix_web::{HttpResponse, get, web};

/// Adds the pages to the service.
pub fn configure(config: &mut web::ServiceConfig) {
    config.service(home);
}

const HOME: &str = "<!DOCTYPE html>
<html lang=\"en\">
<title>ferz</title>
<h1>ferz</h1>
<p>The referee's desk for chess and its variants. Programs use <a href=\"/openapi.json\">its interface</a>.
</html>
";

#[get("/")]
async fn home() -> HttpResponse {
    HttpResponse::Ok().content_type("text/html; charset=utf-8").body(HOME)
}
