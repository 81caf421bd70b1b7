//! The tables of a page, as somebody hears them who has them read aloud.

/// The rows of the tables in the section whose heading has this id: the text of each cell, without headings of columns.
#[track_caller]
pub(super) fn rows(html: &str, id: &str) -> Vec<Vec<String>> {
    let section = html.split_once(&format!("<h2 id=\"{id}\">")).unwrap_or_else(|| panic!("no section {id}")).1;
    let section = section.split("</section>").next().unwrap_or_default();
    let bodies = section.split("<tbody>").skip(1).filter_map(|rest| rest.split("</tbody>").next());
    bodies.flat_map(|body| body.split("</tr>")).map(cells).filter(|cells| !cells.is_empty()).collect()
}

fn cells(row: &str) -> Vec<String> {
    let cells = row.split("</td>").flat_map(|part| part.split("</th>")).map(text);
    cells.filter(|cell| !cell.is_empty()).collect()
}

/// A text without its tags.
fn text(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
